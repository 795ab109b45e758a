/** Tests every field of persona and experience in a conversation. Models are scripted and LiveKit is faked; everything else is real. */
import '../support/sdk-rejections';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { playInFakeRoom, SCENE_TIMEOUT_MS } from '../support/play-in-fake-room';
import { SCENES, titleOf } from './scenes';

// Several conversations run in real time at once.
jest.setTimeout(SCENE_TIMEOUT_MS);

let models: Promise<ModelStandIn> | null = null;
const standIn = (): Promise<ModelStandIn> => (models ??= startModelStandIn());
afterAll(async () => (await models)?.close());

test.concurrent.each(SCENES.map((scene) => [titleOf(scene), scene] as const))('%s', async (_title, scene) => {
  await playInFakeRoom(scene, await standIn());
});
