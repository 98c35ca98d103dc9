// A page that is opened from its folder may not start a worker: the search of the site then runs in a hidden frame.
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(script) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.worker = this;
      this.frame = frame;
      this.ready = new Promise((done) => frame.addEventListener("load", done, { once: true }));
      frame.srcdoc = `<script>
        window.postMessage = (data) => frameElement.worker.hear(data);
        window.importScripts = async (...addresses) => {
          for (const address of addresses) {
            await new Promise((done) => {
              const part = document.createElement("script");
              part.onload = done;
              part.src = address;
              document.head.append(part);
            });
          }
        };
      </script><script src="${new URL(script, document.baseURI).href}"></script>`;
      document.body.append(frame);
    }

    hear(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = FrameWorker; // the theme asks for this name
  window.Worker = FrameWorker;
}
