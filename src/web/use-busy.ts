import { useRef, useState, type FormEvent } from 'react'
import { useFocusBack } from './focus-back.ts'

export type Submit = (event: FormEvent<HTMLFormElement>) => void

export function useBusy(send: (form: FormData) => Promise<void>): [isBusy: boolean, submit: Submit] {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useFocusBack(form, isBusy)
  async function run(written: FormData) {
    setIsBusy(true)
    try {
      await send(written)
    } finally {
      setIsBusy(false)
    }
  }
  return [
    isBusy,
    (event) => {
      event.preventDefault()
      form.current = event.currentTarget
      if (!isBusy) void run(new FormData(event.currentTarget))
    },
  ]
}
