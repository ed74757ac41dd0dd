import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Dialog } from 'radix-ui';
import { words } from '@kit/words.ts';
import { readImage, type CommentImage } from '../../api/comments.ts';
import { reviewWords } from '../../words.ts';
import { removeImage } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import type { ShownComment } from '../model/merge.ts';

/** The images of a comment; a click shows one large. */
export function Images({ comment, mayRemove }: { comment: ShownComment; mayRemove: boolean }) {
  const around = useReviewing();
  if (comment.images.length === 0) return null;
  return (
    <div className="images">
      {comment.images.map((image, index) => (
        <span key={image.id} className="image">
          <Shown comment={comment.id} image={image} alt={reviewWords.image(index + 1)} />
          {mayRemove && (
            <button type="button" className="thumb-remove" aria-label={reviewWords.removeImage(index + 1)} onClick={() => void removeImage(around, comment.id, image.id)}>
              <X size={12} aria-hidden />
            </button>
          )}
        </span>
      ))}
    </div>
  );
}

function Shown({ comment, image, alt }: { comment: string; image: CommentImage; alt: string }) {
  const { project } = useReviewing();
  const [large, setLarge] = useState(false);
  const { data } = useQuery({ queryKey: ['image', image.id], queryFn: ({ signal }) => readImage(project.id, comment, image.id, signal), staleTime: Infinity });
  const address = useObjectUrl(data);
  return (
    <Dialog.Root open={large} onOpenChange={setLarge}>
      <Dialog.Trigger className="image-open" aria-label={alt} style={{ aspectRatio: `${image.width} / ${image.height}` }}>
        {address !== undefined && <img src={address} alt="" width={image.width} height={image.height} />}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="image-large" aria-describedby={undefined}>
          <Dialog.Title className="hidden">{alt}</Dialog.Title>
          {address !== undefined && <img src={address} alt={alt} />}
          <Dialog.Close className="icon-button" aria-label={words.close}>
            <X size={16} aria-hidden />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** An address for bytes that lie in memory; given back when it is not shown any more. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
