/** Lists every route of the app in the document's path syntax. */
import { ORDINARY_TYPES } from '../../../../domain/phone-number';
import { allEndpoints } from '../../../../api/endpoints';

export const routes = (): string[] =>
  // Endpoints use their dependencies only when they run, so stubs are enough here.
  allEndpoints({
    deps: { settings: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] } },
    signer: {},
  } as never).map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
