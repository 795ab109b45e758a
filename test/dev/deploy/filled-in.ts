import { execFileSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { root } from './compose-file';

/** Output of `deploy/make-env.sh`, as Compose reads it. */
export const madeEnvironment = (): Record<string, string> =>
  parseEnv(execFileSync('sh', ['deploy/make-env.sh'], { cwd: root, encoding: 'utf8' })) as Record<
    string,
    string
  >;

/** Output of `deploy/make-env.sh` with the values that an operator fills in. */
export const filledIn = (): Record<string, string> => ({
  ...madeEnvironment(),
  PUBLIC_URL: 'https://calls.example.com',
  LIVEKIT_PUBLIC_URL: 'wss://media.example.com',
  LIVEKIT_SIP_TRUNK_ID: 'ST_1234',
});
