import { join } from 'node:path';
import { Switchboard } from '../../../dev/sip-stand-in/switchboard';
import { systemClock } from '../../../dev/simulator/clock';
import { Counters } from '../../../dev/simulator/history';
import { openSimulatorLog, readSimulatorLog } from '../../../dev/simulator/log';
import { temporaryFolder } from '../temporary-folder';

test("does not log a call whose leg can't join, because livekit-sip sends the INVITE only after joining the room", async () => {
  const path = join(temporaryFolder(), 'sip.jsonl');
  const log = openSimulatorLog(path);
  const counters = new Counters();
  const switchboard = new Switchboard({
    clock: systemClock,
    log,
    counters,
    timings: { ringMs: 10, talkMs: 10, ringCapMs: null },
    server: { url: 'ws://127.0.0.1:1', apiKey: 'key', apiSecret: 'a secret of thirty-two characters' },
  });
  const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const call = await switchboard.place({
    sipCallId: 'SCL_one',
    roomName: 'outbound-1',
    to: '+919876543200',
    from: '+918012345678',
    identity: 'callee',
    name: '',
    metadata: '',
    attributes: {},
    waitsForAnswer: true,
    ringTimeoutMs: 1_000,
    maxCallMs: 10_000,
  });
  expect(await call.outcome).toMatchObject({ endReason: 'carrier_failure' });
  expect(error).toHaveBeenCalledTimes(1);
  error.mockRestore();
  log.close();
  expect(readSimulatorLog(path)).toEqual([]);
  expect(counters.stats()).toMatchObject({ live: 0 });
});
