/** `npm run example -- <name>`. Each example is one function that you can copy into your own program. */
import { parseArgs } from 'node:util';
import { answerCallers, converse } from './front-desk/front-desk';
import { platformOf, type Window } from './platform';
import { reminder } from './reminder';
import { survey } from './survey';

const USAGE = `npm run example -- reminder      runs a campaign that reminds people of an appointment
npm run example -- survey        runs a campaign that asks three questions, and stores its report (--report FILE)
npm run example -- front-desk    runs a text conversation with an agent that books appointments by HTTP, without the platform;
                                 with --number and --bookings the agent answers that number's callers on the platform

--window 02:30-14:29   when the campaign may dial, in UTC; must lie within the platform's LEGAL_WINDOW_UTC
Set VOICE_API_KEY, and VOICE_API_URL unless the platform is at http://127.0.0.1:8080. See examples/README.md.`;

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      window: { type: 'string', default: '02:30-14:29' },
      report: { type: 'string', default: 'survey-report.csv' },
      number: { type: 'string' },
      bookings: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const say = (line: string): void => console.log(line);
  if (values.help) return say(USAGE);
  const [start_time = '', end_time = ''] = values.window.split('-');
  const window: Window = { start_time, end_time };
  switch (positionals[0]) {
    case 'reminder':
      return reminder(platformOf(process.env), window, say);
    case 'survey':
      return survey(platformOf(process.env), window, values.report, say);
    case 'front-desk': {
      const { number, bookings: bookingsUrl } = values;
      if (number === undefined || bookingsUrl === undefined) return void (await converse(say));
      return answerCallers(platformOf(process.env), { number, bookingsUrl }, say);
    }
    default:
      throw new Error(USAGE);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
