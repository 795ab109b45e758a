import { readRoomRecord, RoomRecordWriter } from '../../../agent/session/state/room-record';

const EMPTY = {
  v: 1,
  deployment: null,
  call_id: null,
  dialing_at: null,
  ringing_at: null,
  answered_at: null,
  left_at: null,
  left_reason: null,
  end_reason: null,
  no_audio: null,
};

test.each(['', 'text', '7', '[]', '{"v":2,"call_id":"a"}', '{"call_id":"a"}'])(
  'reads %j as an empty record',
  (metadata) => expect(readRoomRecord(metadata)).toEqual(EMPTY),
);

test('reads back a record that was written, and reads fields of a wrong type as null', () => {
  const record = { ...EMPTY, call_id: 'outbound-1-a', answered_at: '2026-11-02T05:00:00.000Z' };
  expect(readRoomRecord(JSON.stringify(record))).toEqual(record);
  expect(readRoomRecord(JSON.stringify({ ...record, left_at: 7 }))).toEqual(record);
});

test('continues the record of an earlier agent', async () => {
  const saved: string[] = [];
  const before = JSON.stringify({
    ...EMPTY,
    deployment: 'ours',
    call_id: 'outbound-1-a',
    ringing_at: 'then',
  });
  const keeper = new RoomRecordWriter(before, (text) => Promise.resolve(void saved.push(text)));
  keeper.set({ ringing_at: 'now', answered_at: 'now' });
  await keeper.written();
  expect(JSON.parse(saved.at(-1) ?? '')).toEqual({
    ...EMPTY,
    deployment: 'ours',
    call_id: 'outbound-1-a',
    ringing_at: 'then',
    answered_at: 'now',
  });
});

test('combines changes during a write into one more write', async () => {
  const saved: string[] = [];
  let release: () => void = () => undefined;
  const keeper = new RoomRecordWriter('', (text) => {
    saved.push(text);
    return new Promise((resolve) => (release = resolve));
  });
  keeper.set({ call_id: 'a' });
  keeper.set({ dialing_at: 'd' });
  keeper.set({ ringing_at: 'r' });
  expect(saved).toHaveLength(1);
  release();
  while (saved.length < 2) await Promise.resolve();
  release();
  await keeper.written();
  expect(saved).toHaveLength(2);
  expect(JSON.parse(saved[1] ?? '')).toMatchObject({ call_id: 'a', dialing_at: 'd', ringing_at: 'r' });
  keeper.set({ end_reason: 'agent' });
  expect(saved).toHaveLength(3);
});

test('raises no error for a failed write, and includes all changes in the next write', async () => {
  const saved: string[] = [];
  const keeper = new RoomRecordWriter('', (text) => {
    saved.push(text);
    return saved.length === 1 ? Promise.reject(new Error('unreachable')) : Promise.resolve();
  });
  keeper.set({ call_id: 'a' });
  await keeper.written();
  keeper.set({ left_at: 'l' });
  await keeper.written();
  expect(JSON.parse(saved[1] ?? '')).toMatchObject({ call_id: 'a', left_at: 'l' });
});

test('does not write a value that is already recorded', async () => {
  const saved: string[] = [];
  const keeper = new RoomRecordWriter('', (text) => Promise.resolve(void saved.push(text)));
  for (let n = 0; n < 3; n += 1) keeper.set({ call_id: 'a' });
  await keeper.written();
  expect(saved).toHaveLength(1);
});
