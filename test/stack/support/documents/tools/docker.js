/**
 * A fake Docker. It checks that the services, profiles, files and build stages of a command exist. It runs the operators' command line and
 * the replay directly instead of in containers.
 */
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { parse } = require('yaml');

const VALUED =
  /^(?:-f|--(?:file|profile|scale|volume|env|network|tag|target|username|user|format|entrypoint|build-arg))$/;
const options = { '-f': [], '--file': [], '--profile': [], '--scale': [], '--target': [] };

/** Skips options among the first `limit` other words. Returns these words and everything after them. */
function wordsOf(args, limit = Infinity) {
  const words = [];
  for (let at = 0; at < args.length; at += 1) {
    if (words.length === limit) return [...words, ...args.slice(at)];
    const [name, value] = args[at].split(/=(.*)/s);
    if (!name.startsWith('-')) words.push(args[at]);
    else if (VALUED.test(name)) (options[name] ??= []).push(value ?? args[++at]);
  }
  return words;
}

function runHere(program, ...args) {
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}

function check(kind, names, known) {
  for (const name of names) if (!known.includes(name)) throw new Error(`no such ${kind}: ${name}`);
}

function compose(args) {
  const [verb, ...rest] = wordsOf(args, 1);
  const runsOne = verb === 'run' || verb === 'exec';
  const words = wordsOf(rest, runsOne ? 1 : Infinity);
  const files = [...options['-f'], ...options['--file']];
  const services = {};
  for (const file of files.length === 0 ? ['docker-compose.yml'] : files)
    Object.assign(services, parse(readFileSync(file, 'utf8')).services);
  const scaled = options['--scale'].map((each) => each.split('=')[0]);
  check('service', [...(runsOne ? words.slice(0, 1) : words), ...scaled], Object.keys(services));
  const profiles = Object.values(services).flatMap((service) => service.profiles ?? []);
  check('profile', options['--profile'], profiles);
  if (runsOne && words[0] === 'admin') runHere('node', 'dist/api/admin/main.js', ...words.slice(1));
  if (runsOne && words[1] === 'node') runHere(...words.slice(1));
}

function build(args) {
  wordsOf(args);
  const stages = readFileSync(options['--file'][0] ?? 'Dockerfile', 'utf8').matchAll(/^FROM .+ AS (\w+)$/gim);
  check(
    'stage',
    options['--target'],
    [...stages].map(([, stage]) => stage),
  );
}

const [verb, ...args] = process.argv.slice(2);
check('command of Docker', [verb], ['compose', 'build']);
if (verb === 'compose') compose(args);
else build(args);
