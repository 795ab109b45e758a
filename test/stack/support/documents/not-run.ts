/**
 * Documented commands that test/stack/documents.long.test.ts doesn't run, grouped by reason. They are written as in the document, without
 * comments.
 */
const BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'The run of the tests has done it: dependencies and build are there.': [
    'npm ci',
    'npm ci && npm run build',
    'npm run build',
    'npm run build --workspace console',
  ],
  'It is a run of tests, or of checks, by itself.': [
    'npm ci && npm test',
    'npm test',
    'npm run check',
    'npm run test:long',
    'npm run test:sip',
    'npm run test:console',
    'npm run test:compose',
    'npm run test:compose -- --use-docker',
    'npm run test:compose -- --cold',
    'npm run test:faults',
    'npm run test:faults -- --seeds 3',
    'npm run test:faults -- --seeds 9',
    'npm run test:faults -- --seeds 20',
    'npm run test:faults -- --seeds 20 --json scorecard.json',
    'npm run test:faults -- --seed 7 --keep',
    'npm run test:faults -- --planted',
    'npm run test:faults -- --stalls --seeds 20',
    'npm run test:faults -- --replicas --seeds 1-20',
    'npm run test:faults -- --telephony livekit --seeds 1',
    'npm run test:simulation -- --seeds 50',
    'npm run test:simulation -- --seeds 200',
    'npm run test:mutants',
    'npm run test:rules',
    'npm run test:rules -- --questions 1000000',
    'npm run bench',
    'npm run bench -- --only budget',
    'npm run bench -- --only pace',
    'npm run bench -- --only pace,beside',
    'npm run bench -- --only voice',
    'npx jest --selectProjects=domain --testPathPatterns=phone-number',
    'npx jest --selectProjects=workflows --testPathPatterns=replay',
  ],
  'It looks at the whole machine: test/dev/doctor runs it.': ['npm run doctor'],
  'It needs a clean commit: test/dev/release and test/api/clients/release.long.test.ts run its parts.': [
    'npm run release',
    'npm run release -- --dry-run',
    'npm run release -- --prepare 0.2.0',
  ],
  'It publishes.': [
    'npm publish',
    'npm publish --access public release/<file>.tgz',
    'docker build',
    'docker tag',
    'docker push',
  ],
  'It needs an engine, or an image of others.': [
    'docker kill',
    'docker run --detach --name prometheus --restart unless-stopped --publish 127.0.0.1:9090:9090 \\\n  --network voice-agent-platform_inside --network voice-agent-platform_outside \\\n  --volume "$PWD/deploy/monitoring:/etc/prometheus:ro" --volume prometheus:/prometheus prom/prometheus',
  ],
  'It starts a platform of its own, as each file of test/stack does.': [
    'npm start',
    'npm start -- --livekit',
    'LEGAL_WINDOW_UTC=00:00-24:00 npm start',
    'npm run demo',
    'npm run demo -- --exit',
    'npm ci && npm run demo -- --exit',
  ],
  'It needs speech models, phones or callers: test/dev/talk and test/agent hold its parts.': [
    'npm run talk',
    'npm run talk -- --exit',
    'npm run test:agents -- --spoken --runs 10 --min-pass 0.9',
    'npm run test:agents -- --spoken my-agents --runs 10 --min-pass 0.9',
    'LIVEKIT_SIP_PATH=<your version> npm run test:sip',
    'sipp -sf phones.xml -i <its address> -mi <its address> -trace_msg',
    'npm run example -- front-desk --number +918047101234 --bookings https://clinic.example.com/appointments',
  ],
  'It needs LiveKit: test/stack/livekit.long.test.ts starts the agent with the same variables.': [
    'npm run agent',
  ],
  'It builds first: the commands of docs/production.md run the same program.': [
    'npm run histories -- --running',
    'npm ci && npm run histories -- --running',
  ],
  'It removes the data of a local stack on this machine.': ['npm run clean'],
  'It writes into the checkout: test/dev/pages and test/db/schema.test.ts compare what it would write.': [
    'npm run pages',
    'npm run schema',
    'npm run histories',
  ],
  'It writes into the checkout: test/sdk/typescript-package.test.ts builds the package elsewhere.': [
    'cd sdk/typescript && npm pack',
  ],
  'It downloads packages.': [
    'pip install ./sdk/python',
    'npm audit --omit=dev',
    'npm audit signatures',
    "python3 -m venv .data/schemathesis && .data/schemathesis/bin/pip install 'schemathesis==4.32.*'",
    '.data/schemathesis/bin/schemathesis --config-file verify/schemathesis/schemathesis.toml run http://127.0.0.1:8080/api/openapi.json \\\n  -H "X-API-Key: $KEY" --phases examples,coverage,fuzzing,stateful --checks all --workers 1 --seed 4',
    'python3 -m venv .data/rules && .data/rules/bin/pip install holidays==0.109 phonenumbers==9.0.43',
    'npm install --prefix .data/rules date-holidays@3.37.0',
    '.data/rules/bin/python verify/rules/holiday_differences.py .data/rules',
    '.data/rules/bin/python verify/rules/number_zones.py && npx prettier --write domain/rules/number-zones.json',
    'go build ./cmd/livekit-sip',
    'sh deploy/pin-images.sh --check',
  ],
  'It needs an account, or a machine elsewhere.': [
    'ssh -L 8233:127.0.0.1:8233 <machine>',
    'lk sip outbound create trunk.json',
    'tcld namespace search-attributes add --namespace <name>.<account> --search-attribute "OrganizationId=Keyword" \\\n  --search-attribute "CampaignId=Keyword" --search-attribute "AgentId=Keyword" \\\n  --search-attribute "CallStatus=Keyword" --search-attribute "CampaignStatus=Keyword"',
  ],
  'It makes a server: dev/stack/postgres-cluster.ts makes those of the tests with the same options.': [
    'initdb --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8',
  ],
  'It is the form of a statement, which depends on the role.': ['psql alter role … password …'],
};

export const NOT_RUN = new Map(
  Object.entries(BY_REASON).flatMap(([reason, commands]) =>
    commands.map((command) => [command, reason] as const),
  ),
);

/** Blocks in other languages that no test runs, by page and language. */
export const NOT_READ: Readonly<Record<string, string>> = {
  'README.md mermaid': 'A picture.',
  'docs/architecture.md mermaid': 'Pictures.',
  'docs/contacts.md json':
    'Responses that test/api/contact-list-import.test.ts and contact-lists.test.ts check.',
  'docs/custom-llm.md json': 'Messages: test/agent/custom-llm/documented-messages.test.ts holds them.',
  'docs/operations.md http':
    'Requests and responses of a registry, which test/activities/http-dnd-registry.test.ts checks.',
  'docs/production.md text': 'A file for Caddy, which the tests do not have.',
  'docs/production.md json': "A trunk for LiveKit's command line, which needs a provider.",
  'docs/scaling.md text': 'A formula.',
};

/** Blocks that documents.long.test.ts passes to a program, by page and language. */
export const READ = [
  'README.md python',
  'README.md ts',
  'docs/agent-config.md json',
  'docs/analysis.md json',
  'docs/live-captions.md js',
  'docs/testing-agents.md json',
  'docs/webhooks.md ts',
  'mcp/README.md json',
  'sdk/python/README.md python',
  'sdk/typescript/README.md ts',
];
