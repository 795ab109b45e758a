import { SIMULATOR_DEFAULTS } from '../simulator/app';
import type { Timings } from '../simulator/plan';
import { SettingReader, type Environment } from '../simulator/setting-reader';

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

const DEFAULT_PORT = 7080;
const DEFAULT_LOG = '.data/sip-stand-in.jsonl';

/** Reads the stand-in's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment): { settings: StandInSettings } | { faults: string[] } {
  const reader = new SettingReader(env);
  const settings: StandInSettings = {
    secret: reader.required('CARRIER_SECRET', 'the secret that allows simulating inbound calls'),
    logPath: reader.text('SIMULATOR_LOG') ?? DEFAULT_LOG,
    host: reader.text('HOST') ?? SIMULATOR_DEFAULTS.host,
    port: reader.whole('SIP_STAND_IN_PORT', 65_535, DEFAULT_PORT),
    livekitUrl: reader.required('LIVEKIT_URL', 'the real LiveKit server').replace(/^ws/, 'http'),
    apiKey: reader.required('LIVEKIT_API_KEY', 'an API key of that server'),
    apiSecret: reader.required('LIVEKIT_API_SECRET', 'the secret of that key'),
    timings: reader.timings(SIMULATOR_DEFAULTS),
  };
  return reader.faults.length === 0 ? { settings } : { faults: reader.faults };
}
