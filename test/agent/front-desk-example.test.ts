import { converse, frontDesk } from '../../examples/front-desk/front-desk';

/** The example starts the agent in a separate process. */
jest.setTimeout(60_000);

test('books an appointment through the action of the front desk example', async () => {
  const lines: string[] = [];
  expect(await converse((line) => lines.push(line))).toEqual([{ name: 'Asha Rao', day: 'Tuesday' }]);
  expect(lines.join('\n')).toContain('A caller books an appointment');
});

test('assigns a phone number to the front desk example only if a number is passed', async () => {
  const [withNumber, without] = await Promise.all([
    frontDesk('https://clinic.example.com/appointments', '+918047101234'),
    frontDesk('https://clinic.example.com/appointments', null),
  ]);
  expect(withNumber.config.deployment).toEqual({ phone: { call_type: { Inbound: '+918047101234' } } });
  expect(without.config).not.toHaveProperty('deployment');
});
