/** Of the servers that the demo and `npm start` use instead of starting their own; the tests always start theirs. */
import { errorText } from '../error-text';
import { checkPostgres, checkTemporal } from '../stack/given-servers';
import type { Check } from './check';

export async function givenServerChecks(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const { DATABASE_URL: url, TEMPORAL_ADDRESS: address } = environment;
  const checks = await Promise.all([
    url ? check('DATABASE_URL', checkPostgres(url)) : null,
    address ? check('TEMPORAL_ADDRESS', checkTemporal(address, environment)) : null,
  ]);
  return checks.filter((each) => each !== null);
}

async function check(variable: string, answers: Promise<void>): Promise<Check> {
  const line = { group: 'servers', title: variable, onlyFor: null } as const;
  return answers.then(
    () => ({
      ...line,
      state: 'ok',
      found: 'answers; used instead of a server that is started here',
      remedy: null,
    }),
    (error: unknown) => ({
      ...line,
      state: 'missing',
      found: errorText(error),
      remedy: `start that server, correct ${variable}, or unset it: a server is then started here`,
    }),
  );
}
