import { effectiveConfig } from '../../workflows/domain/effective-config';

const stored = {
  persona: {
    identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello.' } },
    metadata: { city: 'Pune' },
  },
  deployment: { phone: { call_type: { Outbound: ['+911111111111', '+912222222222'] } } },
};

test("without changes a call runs its agent's stored version", () => {
  expect(effectiveConfig(stored, null)).toBe(stored);
  expect(effectiveConfig(stored, {})).toEqual(stored);
});

test("a call's own changes win key by key, and leave the rest and the stored version as they were", () => {
  const before = structuredClone(stored);
  const changed = effectiveConfig(stored, {
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
  expect(effectiveConfig(stored, JSON.parse('{"persona": {"__proto__": {"polluted": true}}}'))).toBe(stored);
});

test.each([null, 'text', ['list'], 7])(
  'a stored version that is no object (%j) counts as empty',
  (version) => {
    expect(effectiveConfig(version, null)).toEqual({});
    expect(effectiveConfig(version, { persona: { metadata: { a: 1 } } })).toEqual({
      persona: { metadata: { a: 1 } },
    });
  },
);
