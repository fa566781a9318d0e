// Where a discount code is entered; one in the address (`/?code=`) is entered by itself.
import { useCallback, useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useLocation } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import { Money } from '../../money.tsx'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { Button } from '../../components/button.tsx'
import { Check } from '../../components/icons.tsx'
import { dropDiscount, enterDiscount, keptCode, useDiscount } from './discount.ts'

export function DiscountCode({ products }: { products: readonly Product[] }) {
  const discount = useDiscount()
  const { problem, isBusy, enter } = useEnter()
  const [isOpen, setIsOpen] = useState(false)
  const { search } = useLocation()
  useEffect(() => {
    const code = new URLSearchParams(search).get('code') ?? keptCode()
    if (code) void enter(code)
  }, [search, enter])
  if (discount) {
    const product = products.find(({ id }) => id === discount.product_id)
    const { percent, amount_off } = discount
    const off = percent === null ? <Money amount={amount_off ?? 0} /> : `${percent}%`
    return (
      <div role="status" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1">
        <p className="flex items-center gap-2.5 text-balance">
          <Check aria-hidden className="size-5 shrink-0 text-success" />
          <span>
            <strong className="font-semibold wrap-anywhere">{discount.code}</strong> takes {off} off
            {product ? ` ${product.name}` : ''}
          </span>
        </p>
        <Button look="quiet" onClick={remove}>
          Remove the code
        </Button>
      </div>
    )
  }
  if (!isOpen && !problem)
    return (
      <p className="text-center">
        <Button look="quiet" className="text-soft" onClick={() => setIsOpen(true)}>
          {isBusy ? 'Checking your code...' : 'Have a discount code?'}
        </Button>
      </p>
    )
  return <CodeForm problem={problem} isBusy={isBusy} onEnter={enter} />
}

/** A reload does not enter it again. */
function remove() {
  history.replaceState(history.state, '', location.pathname + location.hash)
  dropDiscount()
}

function useEnter() {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const enter = useCallback(async (code: string) => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      await enterDiscount(code)
    } catch (error) {
      dropDiscount()
      setProblem(`${code}: ${failure('', error).description ?? ''}`)
    } finally {
      setIsBusy(false)
    }
  }, [])
  return { problem, isBusy, enter }
}

type CodeFormProps = {
  problem: string | undefined
  isBusy: boolean
  onEnter: (code: string) => Promise<void>
}

function CodeForm({ problem, isBusy, onEnter }: CodeFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
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
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          className="block w-full min-w-0 rounded-md border border-edge bg-surface px-3.5 py-2.5 uppercase aria-invalid:border-danger"
        />
        <Button type="submit" look="outline" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : 'Apply'}
        </Button>
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1.5 text-sm wrap-anywhere text-danger">
          {problem}
        </p>
      )}
    </form>
  )
}
