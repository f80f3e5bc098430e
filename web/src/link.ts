// A proof in the address: the whole file stands behind the #, which browsers send to no server.

/** The most bytes of a proof that an address holds; `shogi proof link` has the same bound. */
export const MOST_LINKED = 1 << 15;

const NAME = "#proof=";

/** The part of an address that holds a proof: `#proof=` and its bytes in base64 as addresses have it. */
export function proofFragment(content: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(content), (byte) => String.fromCharCode(byte)).join("");
  return NAME + btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Whether an address holds a proof behind its #. */
export const holdsProof = (hash: string): boolean => hash.startsWith(NAME);

/** The proof behind the # of an address; throws where its text is no base64. */
export function linkedProof(hash: string): ArrayBuffer {
  const text = atob(hash.slice(NAME.length).replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer;
}
