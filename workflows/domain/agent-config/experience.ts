import {
  choice,
  DIALLING,
  flag,
  group,
  list,
  map,
  name,
  number,
  section,
  shape,
  share,
  STORED,
  text,
  whole,
} from './kinds';
import { MAXIMA, USES } from './maxima';

export const EAGERNESS = ['slow', 'balanced', 'fast'] as const;

/** Shown nowhere by the interface: `docs/decisions.md` specifies it. */
const patience = {
  enabled: flag('Whether unfinished words are waited for', { default: true }),
  wait_seconds: number('How long the rest is waited for; as `eagerness_to_speak` says unless set', {
    unit: 's',
    least: 1,
    most: 30,
    default: null,
  }),
};

const conversation = group('How talking feels', {
  bg_noise: group('Background noise, also in the recording', {
    enabled: flag('Whether it is played, while the agent talks and while it does not', { default: false }),
    volume: share('How loud it is', { default: 0.5 }),
    sound: name(
      'Preset: `office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; others sound like an office',
      { default: 'office' },
    ),
  }),
  filler_words: group('Words that fill a pause', {
    filler_words_frequency: share(
      'Share of the answers that begin with one of the words, spoken while the model still thinks; 0 = never',
      { default: 0 },
    ),
    filler_words_list: list('The words, used in turn', {
      most: 1_000,
      entry: text('A word', { most: MAXIMA.key }),
    }),
  }),
  eagerness_to_speak: choice(
    'How soon the agent takes its turn after the last word: slow 1.2 s, balanced 0.5 s, fast 0.2 s. A fast one begins to think before it is certain that the user has ended',
    { values: EAGERNESS, default: 'balanced' },
  ),
  breathing_sound: map(
    'Audible breathing. Stored only: its shape is not given, and voices breathe by themselves',
    {
      most: 100,
      effects: STORED,
    },
  ),
  patience_with_user_entries: shape(
    'How long to wait for incomplete input, such as a number of few digits, an "and", a comma',
    { most: 100, rows: patience },
  ),
  mood_mapping: map(
    'Detected mood to changed behaviour, given to the model. Nothing listens to the sound of a voice for it',
    { most: 200, uses: USES.instructions },
  ),
});

const idleSeconds = (does: string, value: number) =>
  whole(does, { unit: 's', least: 5, most: 60, default: value });

const settings = group('When calls warn, end and leave messages', {
  idle_conversation_settings: group('When nobody speaks', {
    pulse_check: flag('Ask a quiet user whether they are there, once in a silence', { default: false }),
    end_conversation_on_idle: flag('End the call when the user stays quiet', { default: false }),
    idle_call_hangup_timeout: idleSeconds(
      'Silence before the call ends, counted from the warning where there is one',
      20,
    ),
    idle_call_warning_timeout: idleSeconds('Silence on both sides before the warning', 10),
    idle_call_hangup_message: text('Said before the call ends'),
    idle_call_warning_message: text('Said as the warning', { default: 'Are you still there?' }),
  }),
  end_call: group('Ending on a phrase', {
    enabled: flag('Whether the phrase ends the call', { default: false }),
    end_call_phrase: text(
      'The phrase, whoever says it: whole words in any case. That of the agent counts once it was heard, that of the user is answered before',
      { most: MAXIMA.key },
    ),
    hangup_timeout: whole('Time between the phrase and the end; more than 60 counts as 60', {
      unit: 's',
      least: 0,
      most: 60,
      above: 'counts as the most',
      default: 2,
    }),
  }),
  call_settings: group('Limits of a call', {
    max_call_duration: whole('Longest talk', {
      unit: 'min',
      least: 1,
      most: 60,
      default: 10,
      effects: ['conversation', 'dialling'],
    }),
    max_duration_enabled: flag('Whether this limit applies; else it is 60 minutes', {
      default: true,
      effects: ['conversation', 'dialling'],
    }),
    enable_voicemail_detection: flag(
      'Distinguish answering machines from people within 12 s, from how long they speak without a pause and what they say; only of calls that the platform makes',
      { default: false, effects: ['conversation', ...DIALLING] },
    ),
    action: choice('What to do with an answering machine', {
      values: ['hang_up', 'leave_message'],
      default: 'hang_up',
    }),
    end_call_message: text('The message that leave_message leaves, once the machine has paused for 1.5 s'),
  }),
});

export const experience = section('Experience', 'How a conversation feels and when it ends', {
  conversational_experience: conversation,
  settings,
});
