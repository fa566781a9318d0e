// A button that copies text to the clipboard.
import { toast, type Toast } from '../notices/toasts.tsx'
import { Button } from './button.tsx'
import { Copy } from './further-icons.tsx'

type CopyButtonProps = {
  label: string
  /** Read by screen readers, where several buttons have the same label. */
  name?: string
  text: string
  copied: Toast
  /** Advice where the browser forbids it; there is no clipboard without https. */
  notCopied: Toast
}

export function CopyButton({ label, name, text, copied, notCopied }: CopyButtonProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(copied)
    } catch {
      toast({ ...notCopied, destructive: true })
    }
  }
  return (
    <Button look="outline" aria-label={name} disabled={!text} onClick={() => void copy()}>
      <Copy aria-hidden className="size-4.5" />
      {label}
    </Button>
  )
}
