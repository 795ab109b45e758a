/** The demo's agent: a fictional dental clinic that books check-ups. */
import type { AgentConfig } from '../../domain/agent-config';

export const AGENT_NAME = 'Tulsi Dental Care, check-up reminder';

const PROMPT = `You are Asha, the appointment assistant of Tulsi Dental Care in {{city}}. You are polite and brief.
1. Ask "Would you like me to book your check-up for this week?"
2. Ask "Which day would suit you best?"
3. Ask "Would you like a reminder on the day before?"
Never give medical advice.`;

const GREETING =
  'Namaste {{name}}, this is Asha from Tulsi Dental Care in {{city}}. Your half-yearly check-up is due. ' +
  'Is this a good time to talk?';

export const AGENT_CONFIG: AgentConfig = {
  persona: {
    identity: { system_prompt: PROMPT, greeting_message: { agent_message: GREETING } },
    metadata: { city: 'Pune' },
  },
  experience: {
    settings: {
      call_settings: {
        max_call_duration: 2,
        max_duration_enabled: true,
        enable_voicemail_detection: true,
        action: 'hang_up',
      },
    },
  },
  analysis: {
    evaluations: {
      dispositions: {
        enabled: true,
        prompt_based: [
          { name: 'wants_appointment', type: 'bool', prompt: 'Does the patient want an appointment?' },
          {
            name: 'appointment_day',
            type: 'string',
            prompt: 'On which day do they want to come?',
            list_of_tags: {
              tomorrow: 'Wants to come tomorrow',
              friday: 'Wants to come on Friday',
              'any day': 'Can come on any day',
            },
          },
        ],
      },
      conversation_evaluation: { enabled: true, prompt: 'Was the patient content with the call?' },
    },
    extraction: {
      data_collection: {
        enabled: true,
        data_points: [
          {
            name: 'preferred_time',
            prompt: 'When does the patient want to come?',
            values: ['tomorrow afternoon', 'Friday morning', 'any day after ten'],
            nullable: true,
          },
        ],
      },
    },
  },
};
