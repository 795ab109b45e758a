/** Tests which words of a streamed answer are spoken when the answer is cut in different ways. */
import { AnswerFilter, type ReasoningHabit } from '../../../agent/providers/answer-filter';

function said(pieces: readonly string[], habit: ReasoningHabit = 'unknown'): string {
  const filter = new AnswerFilter(habit);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const CUTS: Record<string, (text: string) => string[]> = {
  whole: (text) => [text],
  'by character': (text) => [...text],
  'by word': (text) => text.match(/\s*\S+|\s+$/g) ?? [],
  'by three characters': (text) => text.match(/[^]{1,3}/g) ?? [],
};

const ANSWER = 'It is on its way.';

describe.each(Object.entries(CUTS))('an answer that arrives %s', (_how, cut) => {
  test.each([
    ['<think>Limit is 500.</think>\n\nIt is on its way.'],
    ['They want a refund. Limit is 500.\n</think>\n\nIt is on its way.'],
    ['<thinking>Limit is 500.</thinking>It is on its way.'],
    ['<thought>Limit is 500.</thought> It is on its way.'],
    ['<reasoning>Limit is 500.</reasoning>It is on its way.'],
    ['<reflection>Limit is 500.</reflection>It is on its way.'],
    ['<THINK>Limit is 500.</THINK>It is on its way.'],
    ['<Thinking effort="high" budget="3">Limit is 500.</Thinking>It is on its way.'],
    ['<think>Limit is 500.</thinking>It is on its way.'],
    ['<thinking>a<reflection>b</reflection>c</thinking><output>It is on its way.</output>'],
    ['<seed:think>Limit is 500.</seed:think>It is on its way.'],
    ['[THINK]Limit is 500.[/THINK]It is on its way.'],
    ['Limit is 500.[/THINK]It is on its way.'],
    ['◁think▷Limit is 500.◁/think▷It is on its way.'],
    ['<|START_THINKING|>Limit is 500.<|END_THINKING|><|START_RESPONSE|>It is on its way.<|END_RESPONSE|>'],
    ['<|begin_of_thought|>x<|end_of_thought|><|begin_of_solution|>It is on its way.<|end_of_solution|>'],
    [
      '<|channel|>analysis<|message|>Limit 500.<|end|><|start|>assistant<|channel|>final<|message|>It is on its way.',
    ],
    ['Limit is 500.<|end|><|start|>assistant<|channel|>final<|message|>It is on its way.<|return|>'],
    [
      '<|channel|>commentary to=functions.look_up <|constrain|>json<|message|>{"id":1}<|call|><|start|>assistant<|channel|>final<|message|>It is on its way.',
    ],
    ['analysisThey want a refund.assistantfinalIt is on its way.'],
    ['<think></think>It is on its way.'],
    ['&lt;think&gt;Limit is 500.&lt;/think&gt;It is on its way.'],
    ['＜think＞Limit is 500.＜/think＞It is on its way.'],
    ['<inner-thoughts>Limit is 500.</inner-thoughts>It is on its way.'],
    ['<thought_process>Limit is 500.</thought_process>It is on its way.'],
    ['<|begin_of_thinking|>Limit is 500.<|end_of_thinking|>It is on its way.'],
    ['<unused94>thought\nLimit is 500.<unused95>It is on its way.'],
    ['<!-- Limit is 500. -->It is on its way.'],
    ['<think/>It is on its way.'],
    ['<answer>It is on its way.</answer>'],
    ['Limit is 500. <answer>It is on its way.</answer>'],
    ['It is on its way.<think>Was that right? It'],
    ['It is on its way.<thi'],
  ])('removes the reasoning of %j', (text) => expect(said(cut(text)).trim()).toBe(ANSWER));

  test.each([
    ['<tool_call>{"name": "end_call", "arguments": {"a": "}"}}</tool_call>It is on its way.'],
    ['It is on its way.<tool_call>{"name": "end_call"}'],
    ['It is on its way. [TOOL_CALLS][{"name": "end_call", "arguments": {}}]'],
    ['It is on its way.<|python_tag|>end_call.call()'],
    [
      '<function_calls><invoke name="x"><parameter name="y">1</parameter></invoke></function_calls>It is on its way.',
    ],
    ['<function=end_call>{"a": 1}</function>It is on its way.'],
    ['It is on its way.\n```json\n{"name": "end_call"}\n```'],
    ['```tool_code\nend_call()\n```\nIt is on its way.'],
    ['```\nIt is on its way.\n```'],
    ['functions.end_call({"reason": "done"}) It is on its way.'],
    ['functions.end_call:0{"reason": "done"} It is on its way.'],
    ['look_up_order(id="12 (a)") It is on its way.'],
    ['It is on its way. {"name": "end_call", "parameters": {"a": [1]}}'],
    ['[{"name": "end_call", "arguments": {}}] It is on its way.'],
    [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.x:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>It is on its way.',
    ],
    ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>x<｜tool▁call▁end｜><｜tool▁calls▁end｜>It is on its way.'],
    ['Assistant: It is on its way.'],
    ['**Assistant:** It is on its way.'],
    ['assistant：It is on its way.'],
    ['It is on its way.\nUser: Thanks.\nHuman: Bye.'],
    ['User: Where is it?\nAssistant: It is on its way.'],
    ['<|im_start|>assistant\nIt is on its way.<|im_end|>\n<|im_start|>user\nThanks.<|im_end|>'],
    ['<|start_header_id|>assistant<|end_header_id|>\n\nIt is on its way.<|eot_id|>'],
    ['<start_of_turn>model\nIt is on its way.<end_of_turn>'],
    ['<|assistant|>It is on its way.<|user|>Thanks.'],
    ['<s>It is on its way.</s>'],
    ['It is on its way.<end_call></end_call>'],
    ['<end_call/>It is on its way.'],
    ['It is on its way. end_call()'],
    ['It is on its way.<｜end▁of▁sentence｜>'],
    ['[INST]It is on its way.[/INST]<|endoftext|>'],
    ['It is on its way.<0x0A>'],
  ])('removes the markup of %j', (text) => expect(said(cut(text)).trim()).toBe(ANSWER));

  test.each([
    'I think the reasoning is right: think it over, and the analysis follows.',
    'Your agent is Asha. The user manual is online.',
    'Customer care is open: 9 to 5 [except Sundays].',
    'That is 5 < 7, and 8 > 3, I think.',
    'Write to ask_us@example.com or ask_us (any day).',
    'Customer: Asha & Sons, 5 &6.',
    'The answer is final; see the output, or reply to the response.',
    'Assistants call you. User of the year: Ravi.',
    'It costs {about} 500 (five hundred) rupees.',
    'नमस्ते। आपका ऑर्डर रास्ते में है।',
    'Hello {{name}}, how are you?',
    'Press # or * now… `now`',
    'AI',
    'a <',
  ])('keeps all of %j', (text) => expect(said(cut(text))).toBe(text));

  test.each([
    '',
    '  \n',
    '<think>Limit is 500.',
    '…',
    '👍',
    '<|im_end|>',
    '<tool_call>{"name":"x"}</tool_call>',
    '```json\n{}\n```',
  ])('returns nothing for %j', (text) => expect(said(cut(text))).toBe(''));
});

describe("an answer's words", () => {
  test('passes words on as they arrive once a model is known to answer without reasoning', () => {
    const first = new AnswerFilter('unknown');
    expect(first.push('Hello there, friend.')).toBe('');
    expect(first.end()).toBe('Hello there, friend.');
    expect(first.learned).toBe('none');
    const next = new AnswerFilter(first.learned);
    expect(next.push('Good ')).toBe('Good ');
    expect(next.push('morning, ')).toBe('morning, ');
  });

  test('passes words on as they arrive after reasoning with an opening mark', () => {
    const filter = new AnswerFilter('unknown');
    expect(filter.push('<thinking>Hm.</thinking>Good ')).toBe('Good ');
    expect(filter.learned).toBe('none');
  });

  test('passes words on after the closing mark when a model only marks the end of its reasoning', () => {
    const first = new AnswerFilter('unknown');
    expect(first.push('Limit is 500.</think>Good ')).toBe('Good ');
    const next = new AnswerFilter(first.learned);
    expect(next.push('They ask again. Limit is 500. ')).toBe('');
    expect(next.push('</think>Good ')).toBe('Good ');
    const cutOff = new AnswerFilter(first.learned);
    expect(cutOff.push('They ask again and again. ') + cutOff.end()).toBe('');
  });

  test("passes words on before a tool call, but learns nothing about the model's reasoning from the tool call", () => {
    const filter = new AnswerFilter('unknown');
    expect(filter.push('One moment.')).toBe('');
    expect(filter.end({ byToolCall: true })).toBe('One moment.');
    expect(filter.learned).toBe('unknown');
  });
});
