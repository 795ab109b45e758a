/** Checks servers that the demo and `npm start` use instead of starting their own. The tests always start theirs. */
import { openDefaults } from '../../runtime/open-defaults';
import { errorText } from '../error-text';
import { checkPostgres, checkTemporal } from '../stack/given-servers';
import type { Check } from './check';

export async function givenServerChecks(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const { DATABASE_URL: url, TEMPORAL_ADDRESS: address } = environment;
  const checks = await Promise.all([
    url ? check('DATABASE_URL', checkPostgres(url)) : null,
    address ? check('TEMPORAL_ADDRESS', checkTemporal(address, environment)) : null,
  ]);
  return [...checks.filter((each) => each !== null), ...settingChecks(environment)];
}

/** Warns about permissive defaults if variables name the user's own platform. */
function settingChecks(environment: NodeJS.ProcessEnv): Check[] {
  const { DATABASE_URL, LIVEKIT_URL, NUMBERS, SIP_INBOUND_ADDRESSES } = environment;
  if (!DATABASE_URL && !LIVEKIT_URL) return [];
  const open = openDefaults({
    registeredOnly: NUMBERS === 'registered',
    inboundAddresses: LIVEKIT_URL ? (SIP_INBOUND_ADDRESSES ?? '').split(',').filter(Boolean) : null,
  });
  const line = { group: 'servers', state: 'note', onlyFor: null } as const;
  return open.map(({ variable, opens, remedy }) => ({ ...line, title: variable, found: opens, remedy }));
}

async function check(variable: string, answers: Promise<void>): Promise<Check> {
  const line = { group: 'servers', title: variable, onlyFor: null } as const;
  return answers.then(
    () => ({
      ...line,
      state: 'ok',
      found: 'answers; used instead of a local server',
      remedy: null,
    }),
    (error: unknown) => ({
      ...line,
      state: 'missing',
      found: errorText(error),
      remedy: `start that server, correct ${variable}, or unset it to use a local server`,
    }),
  );
}
