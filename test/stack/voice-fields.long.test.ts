/**
 * Tests every field of persona and experience in a real room. Uses the scenes of `test/agent/session/scenes/` and a caller whose audio goes
 * over LiveKit.
 */
import '../agent/support/sdk-rejections';
import { startModelStandIn, type ModelStandIn } from '../../dev/model-stand-in/server';
import { SCENES, titleOf } from '../agent/session/scenes';
import { describeWith } from '../servers/availability';
import { startMediaServer, type MediaServer } from './support/media-server';
import { playOverRealRoom } from './support/real-stage';

// Scenes run one at a time, because audio that arrives late on a busy machine would change the result.
jest.setTimeout(90_000);

let servers: Promise<[ModelStandIn, MediaServer]> | null = null;
const opened = (): Promise<[ModelStandIn, MediaServer]> =>
  (servers ??= Promise.all([startModelStandIn(), startMediaServer()]));

describeWith('livekit', 'in a real room', () => {
  afterAll(async () => {
    if (servers === null) return;
    const [models, media] = await servers;
    await Promise.all([models.close(), media.stop()]);
  });

  test.each(SCENES.map((scene) => [titleOf(scene), scene] as const))('%s', async (_title, scene) => {
    const [models, media] = await opened();
    await playOverRealRoom(scene, models, media);
  });
});
