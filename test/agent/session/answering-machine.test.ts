import {
  AnsweringMachineDetector,
  classifyAnswer,
  voicemailSettingsOf,
  type SpeechSoFar,
} from '../../../agent/session/turns/answering-machine';
import { answererOf } from '../../../agent/session/turns/answerer-words';
import { resolveConfig } from '../../../domain/agent-config';

const heard = (more: Partial<SpeechSoFar>): SpeechSoFar => ({
  passedMs: 1_000,
  spokenMs: 0,
  speakingMs: null,
  pauseMs: null,
  words: '',
  ...more,
});

test.each([
  ['a hello and a pause', { spokenMs: 600, pauseMs: 900, words: 'Hello?' }, 'human'],
  ['a hello, just ended', { spokenMs: 600, pauseMs: 300 }, null],
  ['a sentence, and a breath', { spokenMs: 3_000, pauseMs: 1_000 }, null],
  ['a sentence, and a pause', { spokenMs: 3_000, pauseMs: 1_600 }, 'human'],
  ['speech without a pause', { speakingMs: 4_600 }, 'machine'],
  ['the words of a machine', { speakingMs: 500, words: 'at the tone please record' }, 'machine'],
  ['nothing at all', { passedMs: 4_100 }, 'unknown'],
  ['nothing yet', { passedMs: 3_900 }, null],
  ['neither one nor the other for long', { passedMs: 12_100, spokenMs: 3_000, speakingMs: 300 }, 'unknown'],
] as const)('classifies %s, %j, as %s', (_what, so, answerer) => {
  expect(classifyAnswer(heard(so))).toBe(answerer);
});

const PERSON = [
  'The number you dialed is my office number, I am at home.',
  "I'm sorry, he's out of the office today.",
  'No one is available now, who shall I say called?',
  "It's switched off, his phone.",
  'My voicemail is full, just talk to me.',
  'We are closed today.',
  "I can't hear you, leave a message on WhatsApp.",
  'He is unavailable today, who is calling?',
  'I am away from my desk, one moment.',
  'Yes, please leave your name and I will tell her.',
  "I can’t take calls right now, I'm driving.",
  'Hello?',
  'Yes, speaking.',
  'Hello, who is this?',
  "She's not available, may I take a message?",
  'Would you like to leave a message?',
  "He can't come to the phone, he is sleeping.",
  'His phone is switched off, what is it about?',
  'My phone was switched off, sorry.',
  'Sorry, you have the wrong number.',
  "I'm busy, call me later.",
  'Hold on, let me get him.',
  'Is this a voicemail? Hello?',
  "Ravi's desk, how can I help you?",
  'The doctor is busy, can you call after six?',
  "She isn't reachable today, I'll tell her that you called.",
  "I can't take this call now.",
  'No one is here, call tomorrow.',
  'I am unavailable this week.',
  'Not available, sorry.',
  "We're in a meeting, call me in an hour.",
  "I'm not able to talk, can you text me?",
  "You can leave the message with me, I'll pass it on to her.",
  'साहब अभी व्यस्त हैं, आप कौन बोल रहे हैं?',
  'मैं अभी व्यस्त हूँ, बाद में कॉल करना',
  'एक मिनट रुकिए',
  'उनका फोन स्विच ऑफ है, क्या काम है?',
  'वो घर पर उपलब्ध नहीं हैं',
  'आपने गलत नंबर लगाया है',
  'kaun bol raha hai',
  'ek minute, main bulata hoon',
  'नमस्ते, बोलिए',
  "Please leave me your number, I'll ask him to call you.",
  'The doctor is currently unavailable.',
  'The concerned person is not available right now.',
  "I'll leave a message for him.",
  'Did you leave a message?',
  'जिस नंबर से कॉल आया था, आप कौन?',
  'main busy hai please baad mein call karo',
  'This is she.',
  'No, he went out, try after five.',
  'Mr Sharma is unavailable at the moment.',
  "Can you call back? I'm unavailable.",
  'Hello, Sunrise Clinic, how may I help you?',
  'Is it about the delivery? Leave it at the door.',
];

const MACHINE = [
  'The called party is not answering.',
  'We could not connect your call. Please try later.',
  'The network is busy, please try again.',
  'आप जिनसे बात करना चाहते हैं वे अभी व्यस्त हैं',
  'The user you are calling has switched off their phone.',
  'Please leave a message after the beep.',
  'The number you have dialled is switched off.',
  'The subscriber is not reachable',
  'The subscriber you have dialed is not available right now.',
  'The person you are calling is not answering.',
  'No one is available to take your call.',
  'The number you are calling is busy. Please try again later.',
  'The Airtel customer you are trying to reach is currently unavailable.',
  "The number you're calling is currently out of coverage area.",
  'Hi, this is Ravi. I can’t take your call right now.',
  'You’ve reached the voicemail of Asha.',
  'Your call has been forwarded to an automated voice messaging system.',
  "Sorry, we can't come to the phone right now, leave your name and number.",
  'At the tone please record your message.',
  'The mailbox is full and cannot accept messages.',
  'If you would like to leave a message, press one.',
  'All our agents are busy. For English press 1.',
  "The person you're calling is speaking to someone else. Please stay on the line or call again later.",
  'The number you have dialed does not exist.',
  'Your call cannot be completed as dialed.',
  "I'm in a meeting, leave a message after the tone.",
  'The customer you are calling is not responding',
  'We are unable to take your call.',
  'आप जिस नंबर पर कॉल कर रहे हैं वह उपलब्ध नहीं है',
  'आप जिस व्यक्ति को कॉल कर रहे हैं वह उत्तर नहीं दे रहे हैं',
  'उत्तर नहीं दे रहे',
  'आपके द्वारा डायल किया गया नंबर अभी व्यस्त है',
  'आपके द्वारा डायल किया गया नंबर स्विच ऑफ है',
  'जिस ग्राहक से आप संपर्क करना चाहते हैं वह कवरेज क्षेत्र से बाहर है',
  'यह नंबर अभी व्यस्त है',
  'कृपया बीप के बाद अपना संदेश छोड़ें',
  'aap jis number par call kar rahe hain vah vyast hai',
  'आपण डायल केलेला क्रमांक व्यस्त आहे',
  'আপনার ডায়াল করা নম্বরটি এখন বন্ধ আছে',
  'તમે ડાયલ કરેલો નંબર સ્વિચ ઓફ છે',
  'நீங்கள் அழைத்த எண் தற்போது அணைத்து வைக்கப்பட்டுள்ளது',
  'మీరు డయల్ చేసిన నంబర్ స్విచ్ ఆఫ్ చేయబడింది',
  'ನೀವು ಕರೆ ಮಾಡಿದ ಸಂಖ್ಯೆ ಸ್ವಿಚ್ ಆಫ್ ಆಗಿದೆ',
  'നിങ്ങൾ വിളിച്ച നമ്പർ ഇപ്പോൾ സ്വിച്ച് ഓഫ് ആണ്',
  'ਤੁਹਾਡੇ ਵੱਲੋਂ ਡਾਇਲ ਕੀਤਾ ਨੰਬਰ ਬੰਦ ਹੈ',
  'آپ کے مطلوبہ نمبر سے جواب موصول نہیں ہو رہا',
  'Deje su mensaje después del tono.',
  'Laissez un message après le bip.',
  "I'm driving right now, please leave a message.",
  'We’re sorry, you have reached a number that is not in service.',
  'You have dialed an incorrect number.',
  'This number has been disconnected.',
  'Please hold on, the person you are calling is busy on another call.',
  'हम क्षमा चाहते हैं, आप जिस व्यक्ति से बात करना चाहते हैं वह अभी उपलब्ध नहीं है',
  'The wireless customer you are calling is not available, would you like to leave a message? Press 1.',
  'The dialed number is busy',
  'The number you have dialed is invalid, please check the number.',
  'Nobody is available to answer your call right now.',
  'The mobile number you are calling is switched off, please try after some time.',
];

const SCREENING = [
  'The Google Assistant is screening this call.',
  "Hi, please state your name and the reason for your call, and I'll see if they're available.",
  'if you record your name and reason for calling',
  "Hi, if you record your name and reason for calling, I'll see if this person is available.",
  'Stay on the line.',
  'Please stay on the line while I check.',
  "Hi, the person you're calling is using a screening service from Google, and will get a copy of this conversation. Go ahead and say your name and why you're calling.",
  'Please say your name and why you are calling after the tone, and Google Voice will try to connect you.',
  'This call is being screened. Please state the purpose of your call.',
  'Please state your name and reason for the call.',
  'अपना नाम और कॉल करने का कारण बताएं',
];

/** Words that have ended, followed by a pause. */
const said = (words: string): SpeechSoFar =>
  heard({ passedMs: 5_000, spokenMs: 3_000, pauseMs: 1_600, words });
/** Words of speech that is still going on and already as long as an announcement. */
const talking = (words: string): SpeechSoFar => heard({ passedMs: 5_000, speakingMs: 4_600, words });

test.each(PERSON)('treats %j as the words of a person', (words) =>
  expect(classifyAnswer(said(words))).toBe('human'),
);
test.each(MACHINE)('treats %j as a machine', (words) => {
  expect(classifyAnswer(said(words))).toBe('machine');
  expect(classifyAnswer(talking(words))).toBe('machine');
});
test.each(SCREENING)('treats %j as call screening, not as a machine', (words) => {
  expect(answererOf(words)).toBe('screening');
  expect(classifyAnswer(talking(words))).toBeNull();
  expect(classifyAnswer(said(words))).toBe('human');
});

test('does not classify an answer with a long opening sentence and no pause', () => {
  expect(classifyAnswer(talking('Hello, who is this and what is it about'))).toBeNull();
});

test('classifies by interim words until the final transcript replaces them', () => {
  const detector = new AnsweringMachineDetector();
  detector.setSpeaking(true);
  expect(detector.classify()).toBeNull();
  detector.hear('The number you have dialed', { isFinal: false });
  expect(detector.classify()).toBe('machine');
  detector.hear('The number. Who is this?', { isFinal: true });
  expect(detector.classify()).toBeNull();
});

describe('answering machine detection', () => {
  const callContext = (more: object, call: object = {}): any => ({
    amd: true,
    medium: 'telephony',
    direction: 'Outbound',
    variables: { name: 'Asha' },
    agent: { config: resolveConfig({ experience: { settings: { call_settings: more } } }) },
    ...call,
  });
  test('runs only in outbound phone calls', () => {
    expect(voicemailSettingsOf(callContext({}))).toEqual({ message: null });
    expect(voicemailSettingsOf(callContext({}, { amd: false }))).toBeNull();
    expect(voicemailSettingsOf(callContext({}, { direction: 'Incoming' }))).toBeNull();
    expect(voicemailSettingsOf(callContext({}, { medium: 'webrtc' }))).toBeNull();
  });
  test('leaves a message only when one is configured', () => {
    const leave = { action: 'leave_message', end_call_message: 'Hi {{name}}.' };
    expect(voicemailSettingsOf(callContext(leave))).toEqual({ message: 'Hi Asha.' });
    expect(voicemailSettingsOf(callContext({ ...leave, action: 'hang_up' }))).toEqual({ message: null });
    expect(voicemailSettingsOf(callContext({ action: 'leave_message' }))).toEqual({ message: null });
  });
});
