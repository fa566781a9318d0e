import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'

type BuyAgainProps = { name: string; onAgain: () => void; onClose: () => void }

export default function BuyAgain({ name, onAgain, onClose }: BuyAgainProps) {
  return (
    <Dialog title="You have this one already" onClose={onClose}>
      <p className="mt-3 text-soft">{name} is part of what you bought. Would you like to buy another copy?</p>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <Button look="outline" onClick={onClose}>
          Keep the one I have
        </Button>
        <Button onClick={onAgain}>Buy another</Button>
      </div>
    </Dialog>
  )
}
