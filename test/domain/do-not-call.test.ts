import { saysDoNotCall } from '../../workflows/domain/analysis/do-not-call';

describe('a person who is not to be called again', () => {
  test.each([
    'Do not call me again.',
    "Don't ever call me again!",
    "please don't call this number again",
    "I'm busy, don't call me anymore",
    'Never call me',
    'never ever call here again, ok?',
    'Stop calling me!',
    'will you please stop calling',
    "Don't call my number",
    'no more calls please',
    'Take me off your list',
    'Please remove my name from your calling list',
    'remove my number',
    'Put me on the do not call list',
    'You should not contact me in future',
    'Mujhe dobara call mat karna',
    'phir se phone mat kijiye',
    'aage se call nahi karna',
    'kabhi phone mat karo yahan',
    'aaj ke baad call mat karna',
    'mera number hata do',
    'call karna band karo',
    'मुझे दोबारा कॉल मत करना',
    'आगे से फ़ोन मत कीजिए।',
    'आज के बाद कॉल नहीं करना',
    'मेरा नंबर हटा दीजिए',
  ])('says "%s"', (text) => {
    expect(saysDoNotCall(['Hello?', text])).toBe(true);
  });

  test.each([
    "Don't call me now, I am driving",
    'Do not call before ten',
    'Call me again tomorrow',
    'I will never call you again about this',
    "I don't call that good",
    'They never call back',
    'Could you call again later?',
    'abhi call mat karo',
    'phir call kijiye',
    'dobara call nahi aaya',
    'kal phone karna',
    'मुझे कल कॉल करना',
    'I want to stop the loan',
    'Remove the insurance from my plan',
    '',
  ])('does not say "%s"', (text) => {
    expect(saysDoNotCall([text])).toBe(false);
  });

  test('takes it back by asking for a call afterwards, and not before', () => {
    expect(saysDoNotCall(["Don't call me again. Well, call me tomorrow."])).toBe(false);
    expect(saysDoNotCall(['Call me tomorrow.', 'No, never call me again!'])).toBe(true);
    expect(saysDoNotCall(['Stop calling me', 'I said goodbye'])).toBe(true);
  });

  test('is heard across no two sentences', () => {
    expect(saysDoNotCall(['I do not know.', 'Call me again'])).toBe(false);
    expect(saysDoNotCall(['Nahi. Dobara call.', 'Mat'])).toBe(false);
  });
});
