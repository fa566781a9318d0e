// A text field with its label, hint and error message.
import { useId, type ComponentProps, type ReactNode } from 'react'

const inputClass =
  'mt-1.5 block w-full rounded-md border border-edge bg-surface px-3.5 py-2.5 disabled:opacity-60 [&[readonly]]:bg-ink/5 aria-invalid:border-danger'

export type Frame = {
  label: string
  hint?: string | undefined
  problem?: string | undefined
  /** Keeps the room of one line, in which the problem takes the hint's place: nothing below moves. */
  reservesLine?: boolean | undefined
}
type Wired = { id: string; className: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

export function Field({ label, hint, problem, reservesLine, ...rest }: Frame & ComponentProps<'input'>) {
  return (
    <FieldFrame label={label} hint={hint} problem={problem} reservesLine={reservesLine}>
      {(wired) => <input required {...wired} {...rest} />}
    </FieldFrame>
  )
}

export function TextField({ label, hint, problem, ...rest }: Frame & ComponentProps<'textarea'>) {
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {(wired) => <textarea required {...wired} {...rest} />}
    </FieldFrame>
  )
}

type FieldFrameProps = Frame & { children: (wired: Wired) => ReactNode }

export function FieldFrame({ label, hint, problem, reservesLine = false, children }: FieldFrameProps) {
  const id = useId()
  const isHinted = Boolean(hint) && !(reservesLine && problem)
  const about = [isHinted && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const wired: Wired = {
    id,
    className: inputClass,
    ...(about && { 'aria-describedby': about }),
    ...(problem && { 'aria-invalid': true }),
  }
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children(wired)}
      {isHinted && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-soft">
          {hint}
        </p>
      )}
      {reservesLine && !isHinted && !problem && <p className="mt-1.5 h-lh text-sm" />}
      {problem && (
        <p id={`${id}-problem`} className="mt-1.5 text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
