/** Writes the evidence for the checker as files in one folder. Each line is written as soon as its fact is known. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenWorkflow } from './checker/evidence';
import type { Edit } from './plan/campaigns';
import type { ProcessName, ShiftedClock } from './plan/faults';

/** From `at` on (ISO, true time), the process's clock is this far ahead of the machine's. */
interface ClockLine {
  at: string;
  process: ShiftedClock;
  offset_ms: number;
}

/** A request of the run's API clients, in true time. */
interface RequestLine {
  sent_at: string;
  /** When the response arrived or the client gave up. */
  answered_at: string;
  method: string;
  path: string;
  /** Null if no response arrived. */
  status: number | null;
  body: unknown;
  request: unknown;
}

interface FaultLine {
  at: string;
  /** Null if the fault has no duration. */
  until: string | null;
  fault: string;
  target: string;
}

interface RestartLine {
  process: ProcessName;
  killed_at: string;
  started_at: string;
  ready_at: string;
}

export interface CampaignRecord {
  id: string;
  organization_id: string;
  concurrency: number;
  max_retries: number;
  retry_delay_mins: number;
  /** `YYYY-MM-DD` */
  from_date: string;
  to_date: string;
  /** `HH:MM`, UTC */
  start_time: string;
  end_time: string;
  days_of_week: string;
  contacts: { row: number; name: string; phone_number: string }[];
  /** Acknowledged edits. The other fields show the campaign as it was created. */
  edits: { at: string; fields: Edit }[];
}

interface OrganizationRecord {
  id: string;
  max_concurrency: number;
  /** `whsec_…` */
  secret: string;
}

export class Evidence {
  readonly simulatorLog: string;
  readonly receiverLog: string;
  readonly campaigns: CampaignRecord[] = [];
  readonly organizations: OrganizationRecord[] = [];
  private faultCount = 0;

  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.simulatorLog = join(folder, 'simulator.jsonl');
    this.receiverLog = join(folder, 'receiver.jsonl');
    for (const name of ['simulator', 'receiver', 'clock', 'acknowledged', 'faults', 'restarts']) {
      writeFileSync(join(folder, `${name}.jsonl`), '', { mode: 0o600 });
    }
  }

  get faults(): number {
    return this.faultCount;
  }

  clock(line: ClockLine): void {
    this.append('clock', line);
  }

  request(line: RequestLine): void {
    this.append('acknowledged', line);
  }

  fault(line: FaultLine): void {
    this.faultCount += 1;
    this.append('faults', line);
  }

  restart(line: RestartLine): void {
    this.append('restarts', line);
  }

  /** Writes facts that are known only at the end, before the checker runs. */
  complete(databaseUrl: string, plan: unknown, open: readonly OpenWorkflow[]): void {
    this.write('open-workflows', open);
    this.write('campaigns', this.campaigns);
    this.write('organizations', this.organizations);
    this.write('database', { url: databaseUrl });
    this.write('plan', plan);
  }

  /** Writes `<name>.json`. */
  write(name: string, content: unknown): void {
    writeFileSync(join(this.folder, `${name}.json`), `${JSON.stringify(content, null, 1)}\n`, {
      mode: 0o600,
    });
  }

  private append(name: string, line: unknown): void {
    appendFileSync(join(this.folder, `${name}.jsonl`), `${JSON.stringify(line)}\n`);
  }
}
