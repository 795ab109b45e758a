import { readApiSettings } from '../../../api/settings';
import { demoEnvironment, demoOverrides } from '../../../dev/demo/environment';

test("ignores the user's carrier and registered numbers, so that the demo never rings a real phone", () => {
  const environment = demoEnvironment({
    CARRIER_URL: 'https://carrier.example',
    TELEPHONY: 'livekit',
    NUMBERS: 'registered',
    SIMULATOR_TALK_MS: '600000',
    PATH: '/bin',
  });
  expect(environment).toEqual({ PATH: '/bin' });
});

test('allows the demo to call at any hour of the day', () => {
  const settings = readApiSettings({
    DATABASE_URL: 'postgres://127.0.0.1/x',
    CARRIER_SECRET: 'secret-of-the-carrier',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    ...demoOverrides('127.0.0.1:7090').all,
  });
  expect(settings.legalWindow).toEqual({ startMinute: 0, endMinute: 1440 });
});
