import { SpeechTokenizer } from '../../../agent/providers/speech-pieces';

const tokenizer = new SpeechTokenizer();

/** Returns the pieces that the voice gets when the text arrives in parts of `size` characters. `|` stands for a flush. */
async function streamed(text: string, size = 3): Promise<string[]> {
  const stream = tokenizer.stream();
  for (const part of text.split(/(\|)/)) {
    if (part === '|') stream.flush();
    else for (let at = 0; at < part.length; at += size) stream.pushText(part.slice(at, at + size));
  }
  stream.endInput();
  const pieces: string[] = [];
  for await (const { token } of stream) pieces.push(token);
  return pieces;
}

describe.each([
  ['whole', (text: string) => Promise.resolve(tokenizer.tokenize(text))],
  ['streamed', (text: string) => streamed(text)],
  ['character by character', (text: string) => streamed(text, 1)],
])('an answer that arrives %s', (_how, piecesOf) => {
  test.each([
    [
      'its first clause, then its sentences',
      'Your appointment is on Friday, at ten in the morning. Shall I confirm it, or would Monday be better?',
      [
        'Your appointment is on Friday,',
        'at ten in the morning.',
        'Shall I confirm it, or would Monday be better?',
      ],
    ],
    ['a short first sentence at once', 'Yes. We are open on Sundays.', ['Yes.', 'We are open on Sundays.']],
    ['no clause that is too short', 'Well, we are open.', ['Well, we are open.']],
    [
      'later sentences that are short with the next',
      'We are open today. Yes. Until nine. Do come and see us.',
      ['We are open today.', 'Yes. Until nine. Do come and see us.'],
    ],
    [
      'titles, initials and amounts whole',
      'Dr. A. Rao takes Rs. 500 for it. Ask Mrs. Iyer at No. 7.',
      ['Dr. A. Rao takes Rs. 500 for it.', 'Ask Mrs. Iyer at No. 7.'],
    ],
    [
      'numbers, times and addresses whole',
      'It is 10,000.50 at 5:30 on example.com today. Is that all right?',
      ['It is 10,000.50 at 5:30 on example.com today.', 'Is that all right?'],
    ],
    [
      'a telephone number whole',
      'The number is 98765, 43210. Please call us there.',
      ['The number is 98765, 43210.', 'Please call us there.'],
    ],
    [
      'a closing quotation mark with its sentence',
      'She said "come on Friday." We agreed to that.',
      ['She said "come on Friday."', 'We agreed to that.'],
    ],
    [
      'Hindi sentences by their danda',
      'नमस्ते आशा जी। आपकी अपॉइंटमेंट शुक्रवार को है। क्या यह ठीक है?',
      ['नमस्ते आशा जी।', 'आपकी अपॉइंटमेंट शुक्रवार को है।', 'क्या यह ठीक है?'],
    ],
    ['a Hindi title whole', 'डॉ. राव आज मिलेंगे। धन्यवाद।', ['डॉ. राव आज मिलेंगे।', 'धन्यवाद।']],
    [
      'lines as sentences',
      'We offer three things\nHair cuts and colouring',
      ['We offer three things', 'Hair cuts and colouring'],
    ],
    [
      'an item with its number',
      '1. Bring your card with you. 2. Come early.',
      ['1. Bring your card with you.', '2. Come early.'],
    ],
    [
      'a year at the end of a sentence as its end',
      'We opened in Pune in 2019. We have two shops now.',
      ['We opened in Pune in 2019.', 'We have two shops now.'],
    ],
    ['nothing of an empty answer', ' \n ', []],
  ])('gives the voice %s', async (_what, text, pieces) => {
    expect(await piecesOf(text)).toEqual(pieces);
  });
});

test('passes a piece to the voice before the next piece is complete', async () => {
  const stream = tokenizer.stream();
  stream.pushText('Your appointment is on Friday, at');
  expect((await stream.next()).value?.token).toBe('Your appointment is on Friday,');
  stream.pushText(' ten. And');
  stream.pushText(' it takes half an hour. Then');
  expect((await stream.next()).value?.token).toBe('at ten. And it takes half an hour.');
  stream.close();
});

test('starts with a clause again after a flush', async () => {
  expect(await streamed('Let me see, |the next free day is Friday, at ten.')).toEqual([
    'Let me see,',
    'the next free day is Friday,',
    'at ten.',
  ]);
});

test('keeps every word exactly once, wherever the answer is cut', async () => {
  const text =
    'Good morning, Mr. Rao; this is Asha of Example Ltd. in Pune – you asked about No. 7, 10,000 rupees a month. Shall we go on? Yes!';
  for (const size of [1, 2, 5, 7, 200]) expect((await streamed(text, size)).join(' ')).toBe(text);
});
