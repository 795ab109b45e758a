import { registerSearchAttributes, type Operator } from '../../worker/registration';
import { searchAttributes } from '../../workflows/contract';

const names = Object.values(searchAttributes).map(({ name }) => name);

/** An error as the SDK's gRPC client throws it. */
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

test('adds only the attributes that the namespace lacks', async () => {
  const { register, added } = server({ known: names.slice(1) });
  await register();
  expect(added).toEqual([names.slice(0, 1)]);
});

test('adds nothing to a namespace that has all attributes', async () => {
  const { register, added } = server({ known: names });
  await register();
  expect(added).toEqual([]);
});

test.each([PERMISSION_DENIED, UNIMPLEMENTED])(
  'stops the worker and names the missing attributes when the server rejects the addition with %d',
  async (code) => {
    const { register } = server({ add: refusal(code) });
    await expect(register()).rejects.toThrow(
      `The namespace calls.a1b2c lacks search attributes that the worker isn't allowed to add. Add ${names.join(', ')} as Keyword`,
    );
  },
);

test.each([PERMISSION_DENIED, UNIMPLEMENTED])(
  'assumes that the attributes exist when the server also rejects the listing with %d',
  async (code) => {
    const { register, added, warnings } = server({ list: refusal(code) });
    await register();
    expect([added, warnings.length]).toEqual([[], 1]);
  },
);

test("doesn't mistake an unreachable server for a rejection", async () => {
  const { register } = server({ list: refusal(UNAVAILABLE) });
  await expect(register()).rejects.toThrow(`code ${UNAVAILABLE}`);
});
