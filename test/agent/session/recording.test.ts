/** Tests the recording of a conversation, and the disclosure before it. */
import '../support/sdk-rejections';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { playInFakeRoom, SCENE_TIMEOUT_MS } from '../support/play-in-fake-room';
import { titleOf } from './scenes';
import { RECORDING } from './scenes/recording';

jest.setTimeout(SCENE_TIMEOUT_MS);

let models: Promise<ModelStandIn> | null = null;
const standIn = (): Promise<ModelStandIn> => (models ??= startModelStandIn());
afterAll(async () => (await models)?.close());

test.concurrent.each(RECORDING.map((scene) => [titleOf(scene), scene] as const))(
  '%s',
  async (_title, scene) => {
    await playInFakeRoom(scene, await standIn());
  },
);
