import { useEffect, useId, useRef, type FormEvent } from 'react'
import { readText } from '../../form.ts'
import { Button } from '../../components/button.tsx'

export type WrongCode = { code: string; problem: string }

type DiscountFormProps = {
  wrong: WrongCode | undefined
  isBusy: boolean
  onEnter: (code: string) => Promise<void>
}

export function DiscountForm({ wrong, isBusy, onEnter }: DiscountFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  /** Not where a code of the address has failed: the visitor may be reading elsewhere. */
  const takesFocus = useRef(!wrong)
  useEffect(() => {
    if (takesFocus.current) input.current?.focus({ preventScroll: true })
  }, [])
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = readText(new FormData(event.currentTarget), 'code').trim()
    if (code && !isBusy) void onEnter(code)
    else input.current?.focus()
  }
  return (
    <form noValidate className="mx-auto max-w-md" onSubmit={submit}>
      <label htmlFor={id} className="font-semibold">
        Discount code
      </label>
      <div className="mt-1.5 flex gap-3">
        <input
          ref={input}
          id={id}
          name="code"
          defaultValue={wrong?.code}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-problem` : undefined}
          className="block w-full min-w-0 rounded-md border border-edge bg-surface px-3.5 py-2.5 uppercase aria-invalid:border-danger"
        />
        <Button type="submit" look="outline" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : 'Apply'}
        </Button>
      </div>
      {wrong && (
        <p id={`${id}-problem`} role="alert" className="mt-1.5 text-sm wrap-anywhere text-danger">
          {wrong.problem}
        </p>
      )}
    </form>
  )
}
