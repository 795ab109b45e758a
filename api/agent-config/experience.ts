import { choice, flag, fraction, group, list, map, section, text, whole, words } from './fields';
import { MAXIMA } from './maxima';

const conversation = group('How talking feels', {
  bg_noise: group('Background noise', {
    enabled: flag('Whether it is played'),
    volume: fraction('0-1'),
    sound: text('Preset, such as office or cafe', MAXIMA.name),
  }),
  filler_words: group('Words that fill a pause', {
    filler_words_frequency: fraction('0-1, 0 = never'),
    filler_words_list: list('The words', 1_000, words(MAXIMA.key)),
  }),
  eagerness_to_speak: choice('How soon the agent takes its turn', 'slow', 'balanced', 'fast'),
  breathing_sound: map('Audible breathing', 100),
  patience_with_user_entries: map('How long to wait for incomplete input', 100),
  mood_mapping: map('Detected mood to changed behaviour', 200),
});

const settings = group('When calls warn, end and leave messages', {
  idle_conversation_settings: group('When nobody speaks', {
    pulse_check: flag('Ask a quiet user whether they are there'),
    end_conversation_on_idle: flag('End the call when the user stays quiet'),
    idle_call_hangup_timeout: whole('Seconds of silence before the call ends', 5, 60),
    idle_call_warning_timeout: whole('Seconds of silence before the warning', 5, 60),
    idle_call_hangup_message: text('Said before the call ends'),
    idle_call_warning_message: text('Said as the warning'),
  }),
  end_call: group('Ending on a phrase', {
    enabled: flag('Whether the phrase ends the call'),
    end_call_phrase: text('The phrase', MAXIMA.key),
    hangup_timeout: whole('Seconds between the phrase and the end', 0),
  }),
  call_settings: group('Limits of a call', {
    max_call_duration: whole('Minutes, 1-60', 1, 60),
    max_duration_enabled: flag('Whether the limit applies'),
    enable_voicemail_detection: flag('Tell answering machines from people; off by default'),
    action: choice('What to do with an answering machine', 'hang_up', 'leave_message'),
    end_call_message: text('The message that leave_message leaves'),
  }),
});

export const experienceSchema = section('Experience', 'How a conversation feels and when it ends', {
  conversational_experience: conversation,
  settings,
});
