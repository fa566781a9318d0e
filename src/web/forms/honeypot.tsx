// A field that no person sees: whatever fills it in is a robot.
import { useId } from 'react'
import { homeTexts } from '#words/home.ts'

export function Honeypot() {
  const id = useId()
  return (
    <div hidden>
      <label htmlFor={id}>{homeTexts.website}</label>
      <input id={id} name="website" tabIndex={-1} autoComplete="off" />
    </div>
  )
}
