import { checkVariables, VARIABLES, type Environment } from '../../config';

/** Reads the stand-in's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment) {
  const read = checkVariables(VARIABLES, 'sip-stand-in', env);
  if ('faults' in read) return read;
  const { values } = read;
  const { carrierSecret: secret, host, logPath, ...timings } = read.settings;
  return {
    settings: {
      secret,
      host,
      logPath,
      timings,
      port: values.SIP_STAND_IN_PORT,
      /** URL of the real server, `http://…`. */
      livekitUrl: values.LIVEKIT_URL.replace(/^ws/, 'http'),
      apiKey: values.LIVEKIT_API_KEY,
      apiSecret: values.LIVEKIT_API_SECRET,
    },
  };
}

export type StandInSettings = Extract<ReturnType<typeof readSettings>, { settings: object }>['settings'];
