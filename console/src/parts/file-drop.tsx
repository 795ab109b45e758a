import { useId, useState, type DragEvent, type ReactNode } from 'react';

interface FileDropProps {
  label: string;
  help: ReactNode;
  /** Endings of the files to offer. */
  accept?: string;
  isDisabled?: boolean;
  /** Called with null when the user clears the choice. */
  onFile: (file: File | null) => void;
}

/** File input onto which the user can also drop a contact file. */
export function FileDrop({
  label,
  help,
  accept = '.csv,.xlsx,.xls',
  isDisabled = false,
  onFile,
}: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files.item(0);
    if (dropped !== null && !isDisabled) onFile(dropped);
  };
  return (
    <div
      className={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-help`}
        disabled={isDisabled}
        onChange={(event) => onFile(event.target.files?.item(0) ?? null)}
      />
      <span className="soft small" id={`${id}-help`}>
        {help}
      </span>
    </div>
  );
}
