/** Every route of the app, as the document writes paths. */
import { allEndpoints } from '../../../../api/endpoints';

export const routes = (): string[] =>
  // Nothing is asked: endpoints take hold of what they are given only when they run.
  allEndpoints({ deps: { settings: { allowedCountries: ['IN'] } }, signer: {} } as never).map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
