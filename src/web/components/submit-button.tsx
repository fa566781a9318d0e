import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'

type SubmitButtonProps = { isBusy: boolean; label: string; busyLabel: string }

export function SubmitButton({ isBusy, label, busyLabel }: SubmitButtonProps) {
  return (
    <Button type="submit" className="min-h-12">
      {isBusy && <Spinner />}
      {isBusy ? busyLabel : label}
    </Button>
  )
}
