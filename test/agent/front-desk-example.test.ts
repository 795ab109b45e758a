import { converse, frontDesk } from '../../examples/front-desk/front-desk';

/** The agent's program is a process of its own. */
jest.setTimeout(60_000);

test('the front desk of the examples books by a real request to the server that its action names', async () => {
  const lines: string[] = [];
  expect(await converse((line) => lines.push(line))).toEqual([{ name: 'Asha Rao', day: 'Tuesday' }]);
  expect(lines.join('\n')).toContain('A caller books an appointment');
});

test('the front desk of the examples answers the number that it is given, and no other', async () => {
  const [withNumber, without] = await Promise.all([
    frontDesk('https://clinic.example.com/appointments', '+918047101234'),
    frontDesk('https://clinic.example.com/appointments', null),
  ]);
  expect(withNumber.config.deployment).toEqual({ phone: { call_type: { Inbound: '+918047101234' } } });
  expect(without.config).not.toHaveProperty('deployment');
});
