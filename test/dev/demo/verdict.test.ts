import type { ContactAnswer } from '../../../dev/demo/api-client';
import { demoContacts, freshBlock } from '../../../dev/demo/contact-file';
import { tallyOf } from '../../../dev/demo/tally';
import { faultsOf } from '../../../dev/demo/results';
import { CAMPAIGN_ID, RunLog } from './run-log';

const ending = (digits: string) => {
  const contact = demoContacts(freshBlock(new Set())).find(({ phone }) => phone.endsWith(digits));
  if (contact === undefined) throw new Error(`the file has no number that ends in ${digits}`);
  return contact;
};
const TALKS = ending('01');
const REDIALLED = ending('75');
const INVALID = ending('89');
const CALLBACK = ending('98');
const CONTACTS = [TALKS, REDIALLED, INVALID, CALLBACK];

/** The expected log: one call to 01, two to 75, none to 89, one to 98. */
function goodLog(): RunLog {
  return new RunLog()
    .call(TALKS.phone, 't1', { fromS: 0, toS: 2, answered: true })
    .call(REDIALLED.phone, 'r1', { fromS: 2, toS: 3, answered: false })
    .call(REDIALLED.phone, 'r2', { fromS: 3, toS: 5, answered: true })
    .posted(INVALID.phone, 'i1', 422)
    .notified('i1')
    .call(CALLBACK.phone, 'c1', { fromS: 5, toS: 6, answered: true })
    .notified(null);
}

const answer = (phone: string, state: string, ...attempts: [string, string][]): ContactAnswer => ({
  row: 2,
  name: 'A contact',
  phone_number: phone,
  state,
  attempts: attempts.map(([callId, callStatus]) => ({ call_id: callId, call_status: callStatus })),
  next: { action: 'none', at: null },
});
const GOOD_ANSWERS = [
  answer(TALKS.phone, 'completed', ['t1', 'completed']),
  answer(REDIALLED.phone, 'completed', ['r1', 'no answer'], ['r2', 'completed']),
  answer(INVALID.phone, 'invalid', ['i1', 'failed']),
  answer(CALLBACK.phone, 'completed', ['c1', 'completed']),
];

function faults(log: RunLog, answers = GOOD_ANSWERS, mails = 1): string[] {
  const numbers = new Set(CONTACTS.map(({ phone }) => phone));
  const tally = tallyOf({ ...log, numbers, campaignId: CAMPAIGN_ID, lines: 1 });
  return faultsOf({ tally, contacts: CONTACTS, answers, maxRetries: 3, lines: 1, mails });
}

const changed = (phone: string, differences: Partial<ContactAnswer>): ContactAnswer[] =>
  GOOD_ANSWERS.map((each) => (each.phone_number === phone ? { ...each, ...differences } : each));

test('reports no fault in a demo run that follows the script', () => {
  expect(faults(goodLog())).toEqual([]);
});

test('accepts a callback on top of the scripted calls', () => {
  const log = goodLog().call(CALLBACK.phone, 'c2', { fromS: 60, toS: 62, answered: true });
  const answers = changed(CALLBACK.phone, {
    attempts: [
      { call_id: 'c1', call_status: 'completed' },
      { call_id: 'c2', call_status: 'completed' },
    ],
  });
  expect(faults(log, answers)).toEqual([]);
});

test('reports a contact that was dialled too often, with the number of calls', () => {
  const log = goodLog().call(TALKS.phone, 't2', { fromS: 7, toS: 8, answered: true });
  expect(faults(log)).toEqual([
    `${TALKS.name} (…01): calls placed should be 1, is 2`,
    `${TALKS.name} (…01): 1 of its calls are missing from the contact list`,
  ]);
});

test('reports a contact that was never dialled', () => {
  const log = goodLog();
  const simulator = log.simulator.filter((entry) => !('to' in entry) || entry.to !== TALKS.phone);
  expect(faults(Object.assign(new RunLog(), { simulator, receiver: log.receiver }))).toEqual([
    `${TALKS.name} (…01): calls placed should be 1, is 0`,
    `${TALKS.name} (…01): the outcome in the carrier’s log should be completed, is failed`,
    `${TALKS.name} (…01): 1 listed attempts never reached the carrier`,
  ]);
});

test.each([
  ['state', { state: 'failed' }, 'the state in the contact list should be completed, is failed'],
  [
    'last status',
    { attempts: [{ call_id: 't1', call_status: 'error' }] },
    'the last call_status should be completed, is error',
  ],
])('reports a wrong %s in the contact list', (_what, differences, fault) => {
  expect(faults(goodLog(), changed(TALKS.phone, differences))).toEqual([`${TALKS.name} (…01): ${fault}`]);
});

test('reports a contact that is missing from the contact list', () => {
  expect(faults(goodLog(), GOOD_ANSWERS.slice(1))).toEqual([
    `${TALKS.name} (…01): is missing from the contact list`,
  ]);
});

test('reports a call that has not ended', () => {
  const log = goodLog().posted(CALLBACK.phone, 'c1').notified('c1');
  log.placed(CALLBACK.phone, 'c1', 9);
  expect(faults(log)).toContain(`${CALLBACK.name} (…98): a call has not ended`);
});

test('reports a reference that was dialled twice, and more live calls than lines', () => {
  const log = goodLog();
  const first = log.placed(CALLBACK.phone, 'c1', 9);
  const second = log.placed(CALLBACK.phone, 'c1', 9);
  log.state(CALLBACK.phone, first, 10, 'ended').state(CALLBACK.phone, second, 10, 'ended');
  expect(faults(log)).toEqual(
    expect.arrayContaining([
      '2 calls were placed under a reference that was already dialled',
      '2 calls were live at once on 1 lines',
    ]),
  );
});

describe('webhooks of the demo', () => {
  const without = (callId: string | null): RunLog => {
    const log = goodLog();
    const receiver = log.receiver.filter((entry) => entry.call_id !== callId);
    return Object.assign(new RunLog(), { simulator: log.simulator, receiver });
  };

  test('reports a call without a webhook, even if the carrier rejected the call', () => {
    expect(faults(without('i1'))).toEqual(['1 of 5 call webhooks were not delivered']);
  });

  test('reports an invalid signature', () => {
    expect(faults(goodLog().notified('t1', { valid: false }))).toEqual([
      '1 webhooks had an invalid signature',
    ]);
  });

  test('reports two different events of one call, but not a repeated delivery', () => {
    expect(faults(goodLog().notified('t1'))).toEqual([]);
    expect(faults(goodLog().notified('t1', { event_id: 'another' }))).toEqual([
      '1 calls were reported by more than one event',
    ]);
  });

  test('requires exactly one event for the end of the campaign', () => {
    expect(faults(without(null))).toEqual(['campaign.completed was sent 0 times']);
    expect(faults(goodLog().notified(null, { event_id: 'another' }))).toEqual([
      'campaign.completed was sent 2 times',
    ]);
  });
});

test.each([0, 2])("reports %d e-mails about the campaign's end", (mails) => {
  expect(faults(goodLog(), GOOD_ANSWERS, mails)).toEqual([
    `${mails} e-mails about the end of the campaign were received`,
  ]);
});
