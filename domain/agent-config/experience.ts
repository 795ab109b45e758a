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

const EAGERNESS = ['slow', 'balanced', 'fast'] as const;

/** Not part of the interface. `docs/decisions.md` specifies these settings. */
const patience = {
  enabled: flag('Whether the agent waits for the rest', { default: true }),
  wait_seconds: number('Longest wait for the rest; follows `eagerness_to_speak` unless set', {
    unit: 's',
    min: 1,
    max: 30,
    default: null,
  }),
};

const conversation = group('Style of the conversation', {
  bg_noise: group('Background noise, also in the recording', {
    enabled: flag('Whether noise is played and recorded', { default: false }),
    volume: share('Volume of the noise', { default: 0.5 }),
    sound: name(
      '`office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; any other value sounds like `office`',
      { default: 'office' },
    ),
  }),
  filler_words: group('Words that fill a pause', {
    filler_words_frequency: share(
      'Share of answers that begin with a filler word while the model is still thinking; 0 = never',
      { default: 0 },
    ),
    filler_words_list: list('The words, used in rotation', {
      max: 1_000,
      entry: text('A word', { max: MAXIMA.key }),
    }),
  }),
  eagerness_to_speak: choice(
    'Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s. If the speaker does not sound finished, balanced waits 1.5 s and fast 1 s. A fast agent needs clearer signs to wait, and begins its answer before the end of the turn is certain',
    { values: EAGERNESS, default: 'balanced' },
  ),
  breathing_sound: map(
    'Audible breathing. Stored without effect, because the interface does not define its shape',
    {
      max: 100,
      effects: STORED,
    },
  ),
  patience_with_user_entries: shape(
    'Waiting for incomplete input, such as a number with too few digits, or a turn that ends with "and" or a comma. End-of-turn detection works as with the next slower `eagerness_to_speak`',
    {
      max: 100,
      rows: patience,
    },
  ),
  mood_mapping: map(
    'Maps a detected mood to a behaviour, for the model. Moods are detected from words, not from the voice',
    {
      max: 200,
      uses: USES.instructions,
    },
  ),
});

const idleSeconds = (description: string, value: number) =>
  whole(description, { unit: 's', min: 5, max: 60, default: value });

const settings = group('When calls warn, end and leave messages', {
  idle_conversation_settings: group('Silence on both sides', {
    pulse_check: flag('Ask a quiet user once per silence whether they are still there', { default: false }),
    end_conversation_on_idle: flag('End the call when the user stays quiet', { default: false }),
    idle_call_hangup_timeout: idleSeconds(
      'Silence before the call ends, measured from the warning if there is one',
      20,
    ),
    idle_call_warning_timeout: idleSeconds('Silence on both sides before the warning', 10),
    idle_call_hangup_message: text('Said before the call ends'),
    idle_call_warning_message: text('Said as the warning', { default: 'Are you still there?' }),
  }),
  end_call: group('Phrase that ends the call', {
    enabled: flag('Whether a phrase ends the call', { default: false }),
    end_call_phrase: text(
      'The phrase, said by the agent or the user: whole words, any case. It takes effect once the agent has finished saying it or has answered it',
      { max: MAXIMA.key },
    ),
    hangup_timeout: whole('Time from the phrase to the end of the call; more than 60 counts as 60', {
      unit: 's',
      min: 0,
      max: 60,
      above: 'clamped',
      default: 2,
    }),
  }),
  call_settings: group('Limits of a call', {
    max_call_duration: whole('Maximum duration of the conversation', {
      unit: 'min',
      min: 1,
      max: 60,
      default: 10,
      effects: ['conversation', 'dialling'],
    }),
    max_duration_enabled: flag('Whether this limit applies; otherwise it is 60 minutes', {
      default: true,
      effects: ['conversation', 'dialling'],
    }),
    enable_voicemail_detection: flag(
      'Detect answering machines on outbound calls within 12 s, by continuous speech and by phrases. Call screening counts as a person',
      { default: false, effects: ['conversation', ...DIALLING] },
    ),
    action: choice('What to do with an answering machine', {
      values: ['hang_up', 'leave_message'],
      default: 'hang_up',
    }),
    end_call_message: text('Message for `leave_message`, left once the machine has paused for 1.5 s'),
  }),
  recording: group('Recording of the call', {
    enabled: flag('Whether the call is recorded', { default: true }),
    disclosure: text(
      'Said before the greeting of a recorded call, cannot be interrupted; may hold {{variables}}. The recording starts after it; if it cannot be said, the call is not recorded',
    ),
  }),
});

export const experience = section('Experience', 'Style of the conversation and when it ends', {
  conversational_experience: conversation,
  settings,
});
