import type { Environment, Overrides } from '../stack/platform-environment';

/**
 * Variables that the demo ignores, even if a user's `.env` sets them. The demo needs the simulator, its timings and addresses on this
 * machine, and must never ring a real phone or send a real e-mail.
 */
const IGNORED = [
  'PUBLIC_URL',
  'HOST',
  'TELEPHONY',
  'CARRIER_URL',
  'CARRIER_SECRET',
  'RING_TIMEOUT_S',
  'ALLOWED_COUNTRIES',
  'ALLOWED_NUMBER_TYPES',
  'NUMBERS',
  'LEGAL_WINDOW_UTC',
  'WEBHOOK_ALLOWED_HOSTS',
  'SMTP_URL',
  'MAIL_FROM',
];

export function demoEnvironment(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !IGNORED.includes(name) && !name.startsWith('SIMULATOR_')),
  );
}

export function demoOverrides(receiverHost: string): Overrides {
  return {
    all: {
      // The demo must work at any hour of any day.
      LEGAL_WINDOW_UTC: '00:00-24:00',
      WEBHOOK_ALLOWED_HOSTS: receiverHost,
    },
    simulator: {
      SIMULATOR_RING_MS: '1500',
      SIMULATOR_TALK_MS: '4000',
      SIMULATOR_RING_CAP_MS: '3000',
    },
  };
}
