/** Parses the parts of a Dockerfile that tests check: instructions with their arguments, in order. */
interface Instruction {
  name: string;
  /** Continuation lines are joined. */
  text: string;
}

export interface Stage {
  image: string;
  /** Null for the final stage, which becomes the image. */
  name: string | null;
  instructions: Instruction[];
}

export function stagesOf(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  for (const { name, text } of instructionsOf(dockerfile)) {
    if (name === 'FROM') {
      const [image = '', , stage = null] = text.split(/\s+/);
      stages.push({ image, name: stage, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined && name === 'ARG') continue;
      if (stage === undefined) throw new Error(`${name} comes before the first FROM`);
      stage.instructions.push({ name, text });
    }
  }
  return stages;
}

/** An ADD of a URL must have a checksum. */
const KNOWN =
  /^(FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|HEALTHCHECK|CMD|ENTRYPOINT|ARG|LABEL|ADD(?= --checksum=sha256:[0-9a-f]{64} ))\s+(.*)$/s;

function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.split('\n').filter((line) => !/^\s*#/.test(line));
  const whole = lines.join('\n').replace(/\\\n/g, ' ');
  return whole
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, text] = KNOWN.exec(line) ?? [];
      if (name === undefined || text === undefined) throw new Error(`unknown instruction: ${line}`);
      return { name, text: text.trim() };
    });
}

interface Copy {
  /** Null for the build context. */
  stage: string | null;
  sources: string[];
  target: string;
}

export function copyOf({ text }: Instruction): Copy {
  const words = text.split(/\s+/);
  const stage = words.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? null;
  const paths = words.filter((word) => !word.startsWith('--'));
  return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}
