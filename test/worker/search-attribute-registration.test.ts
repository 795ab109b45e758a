import { registerSearchAttributes, type Operator } from '../../worker/registration';
import { searchAttributes } from '../../workflows/contract';

const names = Object.values(searchAttributes).map(({ name }) => name);

/** As the SDK's gRPC client throws them. */
const refusal = (code: number) =>
  Object.assign(new Error(`code ${code}`), { code, details: '', metadata: {} });

const PERMISSION_DENIED = 7;
const UNAVAILABLE = 14;
const UNIMPLEMENTED = 12;

function server({ known, list, add }: { known?: string[]; list?: Error; add?: Error }) {
  const added: string[][] = [];
  const warnings: string[] = [];
  const operatorService = {
    listSearchAttributes: () =>
      list
        ? Promise.reject(list)
        : Promise.resolve({ customAttributes: Object.fromEntries((known ?? []).map((name) => [name, 2])) }),
    addSearchAttributes: (request: { searchAttributes: Record<string, number> }) => {
      added.push(Object.keys(request.searchAttributes));
      return add ? Promise.reject(add) : Promise.resolve({});
    },
  } as unknown as Operator['operatorService'];
  const register = () =>
    registerSearchAttributes({ operatorService }, 'calls.a1b2c', {
      warn: (line: string) => void warnings.push(line),
    });
  return { register, added, warnings };
}

test('only what the namespace lacks is added', async () => {
  const { register, added } = server({ known: names.slice(1) });
  await register();
  expect(added).toEqual([names.slice(0, 1)]);
});

test('nothing is added to a namespace that has them all', async () => {
  const { register, added } = server({ known: names });
  await register();
  expect(added).toEqual([]);
});

test.each([PERMISSION_DENIED, UNIMPLEMENTED])(
  'a server that refuses with %d to add them stops the worker with a sentence that names them',
  async (code) => {
    const { register } = server({ add: refusal(code) });
    await expect(register()).rejects.toThrow(
      `The namespace calls.a1b2c lacks search attributes that the worker may not add: add ${names.join(', ')} as Keyword`,
    );
  },
);

test.each([PERMISSION_DENIED, UNIMPLEMENTED])(
  'a server that refuses with %d even to list them is believed to have them',
  async (code) => {
    const { register, added, warnings } = server({ list: refusal(code) });
    await register();
    expect([added, warnings.length]).toEqual([[], 1]);
  },
);

test('a server that is away is no refusal', async () => {
  const { register } = server({ list: refusal(UNAVAILABLE) });
  await expect(register()).rejects.toThrow(`code ${UNAVAILABLE}`);
});
