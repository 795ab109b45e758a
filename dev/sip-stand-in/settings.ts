import { checkVariables, VARIABLES, type Environment } from '../../config';
import type { Timings } from '../simulator/plan';

export interface StandInSettings {
  /** Protects `POST /inbound-calls`. */
  secret: string;
  logPath: string;
  host: string;
  /** 0 picks any free port. */
  port: number;
  /** URL of the real server, `http://…`. */
  livekitUrl: string;
  apiKey: string;
  apiSecret: string;
  timings: Timings;
}

/** Reads the stand-in's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment): { settings: StandInSettings } | { faults: string[] } {
  const read = checkVariables(VARIABLES, 'sip-stand-in', env);
  if ('faults' in read) return read;
  const { values } = read;
  return {
    settings: {
      secret: values.CARRIER_SECRET,
      logPath: values.SIMULATOR_LOG,
      host: values.HOST,
      port: values.SIP_STAND_IN_PORT,
      livekitUrl: values.LIVEKIT_URL.replace(/^ws/, 'http'),
      apiKey: values.LIVEKIT_API_KEY,
      apiSecret: values.LIVEKIT_API_SECRET,
      timings: {
        ringMs: values.SIMULATOR_RING_MS,
        talkMs: values.SIMULATOR_TALK_MS,
        ringCapMs: values.SIMULATOR_RING_CAP_MS,
      },
    },
  };
}
