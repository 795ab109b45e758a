/** Every route of the app, as the document writes paths. */
import { ORDINARY_TYPES } from '../../../../domain/phone-number';
import { allEndpoints } from '../../../../api/endpoints';

export const routes = (): string[] =>
  // Nothing is asked: endpoints take hold of what they are given only when they run.
  allEndpoints({
    deps: { settings: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] } },
    signer: {},
  } as never).map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
