/** Images of comments that are not sent yet, in the browser's database: `localStorage` is too small for them. */
const NAME = 'galley-images';
const STORE = 'images';

/** Keeps images under an entry's key; gives whether the browser did. */
export async function keepImages(key: string, images: readonly Blob[]): Promise<boolean> {
  return (await inStore('readwrite', (store) => store.put([...images], key)).then(() => true, () => false));
}

export async function keptImages(key: string): Promise<Blob[]> {
  const found: unknown = await inStore('readonly', (store) => store.get(key)).catch(() => []);
  return Array.isArray(found) ? found.filter((each): each is Blob => each instanceof Blob) : [];
}

export async function forgetImages(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key)).catch(() => undefined);
}

function inStore(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open(NAME, 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore(STORE);
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const database = opened.result;
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => (database.close(), resolve(request.result));
      transaction.onabort = transaction.onerror = () => (database.close(), reject(transaction.error));
    };
  });
}

/** What the server takes: PNG, JPEG, WebP. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
export const MAX_IMAGES = 4;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
