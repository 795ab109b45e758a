/** Tests calls while the bucket is unreachable. They end as usual, and recordings wait on the agent's disk, even if the agent dies. */
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from '../../dev/stack/stack';
import { Gate } from '../api/support/gate';
import { S3Bucket } from '../api/support/s3-bucket';
import { temporaryFolder } from '../dev/temporary-folder';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const CALL_WITHIN_MS = 60_000;
const CLOSE_WITHIN_MS = 60_000;
/** After this time, the process of the conversation has given up uploading. */
const WAITED_MS = 10 * 60_000;

describeWith('livekit', 'over LiveKit', () => {
  describeWith('s3', 'an unreachable bucket', () => {
    const folder = join(temporaryFolder(), 'recordings');
    let bucket: S3Bucket;
    let gate: Gate;
    let platform: Platform;
    let media: Media;
    let organization: Organization;

    beforeAll(async () => {
      bucket = await S3Bucket.open();
      const { hostname: host, port } = new URL(bucket.endpoint);
      gate = await Gate.open({ host, port: Number(port) });
      platform = await Platform.open({
        livekit: true,
        environment: {
          ...bucket.environment(`http://${gate.address.host}:${gate.address.port}`),
          AGENT_RECORDINGS_DIR: folder,
        },
      });
      if (platform.stack.media === null) throw new Error('there are no media servers');
      media = platform.stack.media;
      organization = await platform.newOrganization();
    }, START_WITHIN_MS);
    afterAll(async () => {
      await platform.close();
      await gate.close();
      bucket.close();
    }, CLOSE_WITHIN_MS);

    const callOf = async (callId: string): Promise<any> => {
      const { body } = await organization.get('/api/call-history');
      return body.data.find(({ call_id: id }: { call_id: string }) => id === callId);
    };
    const dispatched = async (ending: number): Promise<string> => {
      const [number = ''] = freshNumbers([ending]);
      return (await organization.dispatch(number)).body.output.call_id;
    };
    const greeted = (callId: string) =>
      eventually(CALL_WITHIN_MS, async () =>
        expect((await callOf(callId)).chat_history).toMatchObject([{ role: 'agent' }]),
      );
    const ended = (callId: string) =>
      eventually(CALL_WITHIN_MS, async () => {
        const call = await callOf(callId);
        expect(call).toMatchObject({ End_time: expect.any(String), recording_api: null });
        return call.call_status;
      });

    test(
      'ends calls as usual while the bucket is down, and uploads all recordings later, even if the agent dies',
      async () => {
        const hungUp = await dispatched(73);
        await greeted(hungUp);
        await gate.set('shut');
        const begun = await dispatched(70);
        expect((await organization.post(`/api/calls/${hungUp}/hangup`)).status).toBe(200);
        expect(await ended(hungUp)).toBe('completed');
        expect(await ended(begun)).toBe('User disconnected');
        const kept = await eventually(CALL_WITHIN_MS, () => {
          const recordings = keptIn(folder);
          expect([...recordings.keys()].sort()).toEqual([hungUp, begun].sort());
          return recordings;
        });
        await media.agent.kill();
        for (const name of readdirSync(folder)) {
          const then = new Date(Date.now() - WAITED_MS);
          utimesSync(join(folder, name), then, then);
        }
        await gate.set('open');
        await media.agent.start();
        await eventually(CALL_WITHIN_MS, () => expect(readdirSync(folder)).toEqual([]));
        for (const [callId, audio] of kept) {
          const answer = await fetch(`${platform.stack.apiUrl}/api/stream/${callId}`, {
            headers: { 'X-API-Key': organization.key },
          });
          expect(answer.status).toBe(200);
          expect(audio.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
        }
        expect(await bucket.everything()).toEqual(
          [...kept.keys()].map((callId) => `recordings/${callId}.wav`).sort(),
        );
      },
      4 * CALL_WITHIN_MS,
    );
  });
});

/** Returns the recordings that wait on disk, keyed by call id. */
function keptIn(folder: string): Map<string, Buffer> {
  const whole = readdirSync(folder).filter((name) => !name.endsWith('.part'));
  return new Map(
    whole.map((name) => {
      const { callId } = JSON.parse(readFileSync(join(folder, name, 'call.json'), 'utf8'));
      return [callId, readFileSync(join(folder, name, 'recording.wav'))];
    }),
  );
}
