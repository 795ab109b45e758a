/** Sentences that the agent says when the configuration supplies none. */
type FixedSentence = 'refusal' | 'redirect' | 'farewell' | 'no-model' | 'no-answer' | 'no-words';

const ENGLISH: Record<FixedSentence, string> = {
  refusal: 'I am sorry, I cannot talk about that.',
  redirect: 'I cannot talk about that. Let us get back to what I can help you with.',
  farewell: 'Thank you for your time. Goodbye.',
  'no-model':
    'No language model is set up for me yet, so I cannot hold a conversation. I can only answer questions from my list of answers.',
  'no-answer': 'I have no answer to that in my list.',
  'no-words': 'I am sorry, something went wrong on my side. Could you please say that again?',
};

const HINDI: Record<FixedSentence, string> = {
  refusal: 'माफ़ कीजिए, मैं इस बारे में बात नहीं कर सकती।',
  redirect: 'मैं इस बारे में बात नहीं कर सकती। आइए उस काम पर लौटें जिसमें मैं आपकी मदद कर सकती हूँ।',
  farewell: 'आपके समय के लिए धन्यवाद। नमस्ते।',
  'no-model':
    'मेरे लिए अभी कोई भाषा मॉडल नहीं लगाया गया है, इसलिए मैं बातचीत नहीं कर सकती। मैं केवल अपनी सूची के सवालों के जवाब दे सकती हूँ।',
  'no-answer': 'मेरी सूची में इसका जवाब नहीं है।',
  'no-words': 'माफ़ कीजिए, मेरी तरफ़ से कुछ गड़बड़ हो गई। क्या आप अपनी बात दोहरा सकते हैं?',
};

/** Returns the Hindi sentence when the agent speaks Hindi, otherwise the English one. */
export const fixedSentence = (which: FixedSentence, language: string | null): string =>
  (language?.split('-')[0]?.toLowerCase() === 'hi' ? HINDI : ENGLISH)[which];

/** Returns true if the text contains this sentence in either language. */
export const isFixedSentence = (which: FixedSentence, text: string): boolean =>
  text.includes(ENGLISH[which]) || text.includes(HINDI[which]);
