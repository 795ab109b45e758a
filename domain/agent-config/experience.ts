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
  enabled: flag('Whether the rest is waited for', { default: true }),
  wait_seconds: number('Longest wait for the rest; as `eagerness_to_speak` unless set', {
    unit: 's',
    least: 1,
    most: 30,
    default: null,
  }),
};

const conversation = group('How talking feels', {
  bg_noise: group('Background noise, also in the recording', {
    enabled: flag('Whether noise is played, also into the recording', { default: false }),
    volume: share('Volume of the noise', { default: 0.5 }),
    sound: name(
      '`office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; others sound like an office',
      { default: 'office' },
    ),
  }),
  filler_words: group('Words that fill a pause', {
    filler_words_frequency: share(
      'Share of answers that begin with one of the words, while the model still thinks; 0 = never',
      { default: 0 },
    ),
    filler_words_list: list('The words, used in turn', {
      most: 1_000,
      entry: text('A word', { most: MAXIMA.key }),
    }),
  }),
  eagerness_to_speak: choice(
    'Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s; balanced 1.5 s and fast 1 s where the speaker does not sound finished, which a fast agent hears less often. A fast agent begins its answer before the end of the turn is certain',
    { values: EAGERNESS, default: 'balanced' },
  ),
  breathing_sound: map('Audible breathing. Stored only: its shape is not given', {
    most: 100,
    effects: STORED,
  }),
  patience_with_user_entries: shape(
    'Waiting for incomplete input: a number of few digits, an "and", a comma. Sounding unfinished is judged as by the next slower agent',
    {
      most: 100,
      rows: patience,
    },
  ),
  mood_mapping: map('Detected mood to changed behaviour, for the model; the sound of the voice is not used', {
    most: 200,
    uses: USES.instructions,
  }),
});

const idleSeconds = (does: string, value: number) =>
  whole(does, { unit: 's', least: 5, most: 60, default: value });

const settings = group('When calls warn, end and leave messages', {
  idle_conversation_settings: group('When nobody speaks', {
    pulse_check: flag('Ask a quiet user whether they are there, once in a silence', { default: false }),
    end_conversation_on_idle: flag('End the call when the user stays quiet', { default: false }),
    idle_call_hangup_timeout: idleSeconds(
      'Silence before the call ends, counted from the warning if there is one',
      20,
    ),
    idle_call_warning_timeout: idleSeconds('Silence on both sides before the warning', 10),
    idle_call_hangup_message: text('Said before the call ends'),
    idle_call_warning_message: text('Said as the warning', { default: 'Are you still there?' }),
  }),
  end_call: group('Ending on a phrase', {
    enabled: flag('Whether a phrase ends the call', { default: false }),
    end_call_phrase: text(
      'The phrase, of either side: whole words, any case. It counts when the agent has finished saying it, or has answered it',
      { most: MAXIMA.key },
    ),
    hangup_timeout: whole('From the phrase to the end; more than 60 counts as 60', {
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
      'Detect answering machines on outbound calls, within 12 s, by unbroken speech and by phrases; call screening counts as a person',
      { default: false, effects: ['conversation', ...DIALLING] },
    ),
    action: choice('What to do with an answering machine', {
      values: ['hang_up', 'leave_message'],
      default: 'hang_up',
    }),
    end_call_message: text('The message of leave_message, left once the machine has paused for 1.5 s'),
  }),
  recording: group('Recording of the call', {
    enabled: flag('Whether the call is recorded', { default: true }),
    disclosure: text(
      'Said before the greeting of a call that is recorded, not interruptible; may hold {{variables}}. The recording begins behind it; without it there is none',
    ),
  }),
});

export const experience = section('Experience', 'How a conversation feels and when it ends', {
  conversational_experience: conversation,
  settings,
});
