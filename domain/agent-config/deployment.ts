import { DIALLING, group, list, section, text } from './kinds';

export const deployment = section('Deployment', 'Numbers that an agent calls from and answers', {
  phone: group('Telephony', {
    call_type: group('By direction', {
      Inbound: text('Number whose callers the agent answers; an empty string removes the route', {
        form: 'e164',
        effects: DIALLING,
      }),
      Outbound: list('Numbers the agent may dial from; any unless set', {
        max: 2_000,
        entry: text('Caller ID', { form: 'e164', effects: DIALLING }),
        effects: DIALLING,
      }),
    }),
  }),
});
