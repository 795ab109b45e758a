import { resolveConfig } from '../../workflows/domain/agent-config';
import { effectiveConfig, mergedConfig } from '../../workflows/domain/effective-config';

const stored = {
  persona: {
    identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello.' } },
    metadata: { city: 'Pune' },
  },
  deployment: { phone: { call_type: { Outbound: ['+911111111111', '+912222222222'] } } },
};

test("without changes a call runs its agent's stored version", () => {
  expect(mergedConfig(stored, null)).toBe(stored);
  expect(mergedConfig(stored, {})).toEqual(stored);
});

test("a call's own changes win key by key, and leave the rest and the stored version as they were", () => {
  const before = structuredClone(stored);
  const changed = mergedConfig(stored, {
    persona: { identity: { system_prompt: 'Listen.' } },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(changed).toEqual({
    persona: {
      identity: { system_prompt: 'Listen.', greeting_message: { agent_message: 'Hello.' } },
      metadata: { city: 'Pune' },
    },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(stored).toEqual(before);
});

test('changes that cannot be merged safely are left out: the call runs the stored version', () => {
  expect(mergedConfig(stored, JSON.parse('{"persona": {"__proto__": {"polluted": true}}}'))).toBe(stored);
});

test.each([null, 'text', ['list'], 7])(
  'a stored version that is no object (%j) counts as empty',
  (version) => {
    expect(mergedConfig(version, null)).toEqual({});
    expect(mergedConfig(version, { persona: { metadata: { a: 1 } } })).toEqual({
      persona: { metadata: { a: 1 } },
    });
  },
);

test('what a call runs is that, resolved', () => {
  const change = { persona: { identity: { system_prompt: ' Listen. ' } } };
  expect(effectiveConfig(stored, change)).toEqual(resolveConfig(mergedConfig(stored, change)));
  expect(effectiveConfig(stored, change).persona.identity.system_prompt).toBe('Listen.');
});
