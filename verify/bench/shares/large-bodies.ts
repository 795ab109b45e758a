/** The largest bodies that an API key allows: a configuration of 700 KiB and a contact file of 10 MiB. */

export interface LargeBody {
  contentType: string;
  body: Buffer;
}

const BOUNDARY = 'bench-boundary';
const ROWS = 10_000;
const QUESTIONS = 6_000;

/** Returns a patch of the `training` section with 6,000 questions, each with an answer of 100 characters. */
export function largeConfiguration(): LargeBody {
  const answer = 'a'.repeat(100);
  const faq = Object.fromEntries(Array.from({ length: QUESTIONS }, (_none, nth) => [`q${nth}`, answer]));
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify({ know_how: { faq } })) };
}

/** Returns a campaign form whose file has 10,000 contacts of 1,000 bytes each. */
export function largeCampaignForm(agentId: string): LargeBody {
  const fields = {
    campaign_name: 'Bench',
    agent_id: agentId,
    concurrency: '1',
    from_date: '2099-01-01',
    to_date: '2099-12-31',
    start_time: '04:00',
    end_time: '10:30',
    days_of_week: 'monday',
  };
  const note = 'é'.repeat(500);
  const rows = Array.from({ length: ROWS }, (_none, nth) => `A,+9198${10_000_000 + nth},${note}`);
  const parts = [
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    part('name="csv_file"; filename="contacts.csv"', ['name,phone_number,note', ...rows, ''].join('\n')),
  ];
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
  };
}

const part = (disposition: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
