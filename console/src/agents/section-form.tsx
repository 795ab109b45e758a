import { useState, type SyntheticEvent } from 'react';
import { useMay } from '../app/session';
import { titleOf } from '../format/values';
import { useNotice } from '../parts/notices';
import { Faults } from '../parts/faults';
import { ConfigField } from './config-field';
import { useSaveSection } from './queries';
import { faultOf } from './limits';
import { changeOf, valueAt, valueOfText, type FieldOf, type GroupOf, type Section } from './schema';

interface SectionFormProps {
  agentId: string;
  section: Section;
  group: GroupOf;
  stored: unknown;
}

interface Edit {
  field: FieldOf;
  text: string;
}

type Edits = ReadonlyMap<string, Edit>;

/** Form for one section. Saves only the changed fields. */
export function SectionForm({ agentId, section, group, stored }: SectionFormProps) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const { mutate, error, isPending } = useSaveSection(agentId);
  const report = useNotice();
  const mayChange = useMay('configure');

  const edit = (field: FieldOf, text: string): void =>
    setEdits(new Map(edits).set(field.path.join('.'), { field, text }));
  const faults = faultsOf(edits);
  function save(event: SyntheticEvent): void {
    event.preventDefault();
    const values = new Map(
      [...edits].map(([path, { field, text }]) => [
        path,
        { path: field.path, value: valueOfText(field.kind, text) },
      ]),
    );
    mutate(
      { section, change: changeOf(values) },
      { onSuccess: () => report('Saved. New calls will use it.') },
    );
  }

  return (
    <form className="card" onSubmit={save} aria-label={titleOf(section)}>
      <header>
        <h2>{group.help}</h2>
      </header>
      <fieldset className="body bare" disabled={!mayChange}>
        <legend className="only-heard">{titleOf(section)}</legend>
        <Fields group={group} stored={stored} edits={edits} faults={faults} onEdit={edit} />
      </fieldset>
      <div className="saving">
        {error !== null && <Faults error={error} />}
        <span className="soft">
          {mayChange ? wordsOf(edits.size) : 'Your key can view this agent, but not change it'}
        </span>
        {mayChange && (
          <button
            type="submit"
            className="button primary"
            disabled={edits.size === 0 || faults.size > 0 || isPending}
          >
            {isPending ? 'Saving…' : 'Save'}
          </button>
        )}
      </div>
    </form>
  );
}

function wordsOf(changes: number): string {
  if (changes === 0) return 'No unsaved changes';
  return changes === 1 ? '1 unsaved change' : `${changes} unsaved changes`;
}

/** Returns the error message of each invalid field, keyed by the field's path. */
const faultsOf = (edits: Edits): ReadonlyMap<string, string> =>
  new Map(
    [...edits].flatMap(([path, { field, text }]): [string, string][] => {
      const fault = faultOf(field, text);
      return fault === null ? [] : [[path, fault]];
    }),
  );

interface FieldsProps {
  group: GroupOf;
  stored: unknown;
  edits: Edits;
  faults: ReadonlyMap<string, string>;
  onEdit: (field: FieldOf, text: string) => void;
}

/** Shows JSON fields last, because people rarely edit them by hand. */
function Fields({ group, ...shared }: FieldsProps) {
  const isJson = ({ kind }: FieldOf): boolean => kind === 'json';
  return (
    <>
      <FieldList fields={group.fields.filter((field) => !isJson(field))} {...shared} />
      {group.groups.map((inner) => (
        <fieldset key={inner.path.join('.')}>
          <legend>{titleOf(inner.path.at(-1) ?? '')}</legend>
          <p className="help">{inner.help}</p>
          <Fields group={inner} {...shared} />
        </fieldset>
      ))}
      <FieldList fields={group.fields.filter(isJson)} {...shared} />
    </>
  );
}

type FieldListProps = Omit<FieldsProps, 'group'> & { fields: readonly FieldOf[] };

function FieldList({ fields, stored, edits, faults, onEdit }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <div className="config">
      {fields.map((field) => {
        const path = field.path.join('.');
        return (
          <ConfigField
            key={path}
            field={field}
            stored={valueAt(stored, field.path)}
            edited={edits.get(path)?.text}
            fault={faults.get(path) ?? null}
            onEdit={(text) => onEdit(field, text)}
          />
        );
      })}
    </div>
  );
}
