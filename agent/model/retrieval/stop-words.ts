/** Stop words in English, Hindi and romanised Hindi. */
import { normalized } from '../tokenize';

const WORDS = `
a an the is are was were be been am do does did can could will would shall should may might must have has had
i me my mine we us our you your yours he she it its they them their this that these those there here
what which who whom whose when where why how whether if then than so and or but not no yes
of in on at to for from by with about into over under out up down as
please tell say know want need like get give take make let just also too very much many any some all
hello hi hey ok okay thanks thank sir madam
है हैं था थी थे हूँ हूं हो होता होती होते का की के को से में पर ने तक और या भी तो ही मैं मुझे मेरा मेरी मेरे हम हमें आप आपका आपकी आपके
यह ये वह वो इस उस क्या कौन कब कहाँ कहां कैसे कैसा कैसी क्यों कितना कितनी कितने कर करना करते करने करें कीजिए बताइए बताओ बताएं बताना चाहिए चाहता चाहती
जी हाँ हां नहीं नमस्ते कृपया एक कोई कुछ अगर लिए सकता सकती सकते गया गई रहा रही रहे
hai hain tha thi the hoon hun ho hota hoti ka ki ke ko se mein main par ne tak aur ya bhi toh hi mujhe mera meri mere hum aap aapka aapki aapke
yeh ye woh wo kya kaun kab kahan kaise kyun kyon kitna kitni kitne kar karna karte karo kijiye bataiye batao chahiye chahta chahti
ji haan nahi nahin namaste kripya ek koi kuch agar liye sakta sakti sakte gaya rahi raha rahe
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter(Boolean).map(normalized));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
