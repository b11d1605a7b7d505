// Asks for the OpenAPI document with the token that is typed in, and shows it. Nothing is stored.
"use strict";

const form = document.getElementById("token-form");
const message = document.getElementById("message");

function say(text, failed) {
  message.textContent = text;
  message.toggleAttribute("data-failed", failed);
}

async function show(token) {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(form.dataset.openapi, { headers, credentials: "omit", redirect: "error" });
  const answer = await response.json();
  if (!response.ok) {
    say(answer.error.message, true);
    return;
  }
  // What is tried out from this page goes to this store alone, with the same token.
  SwaggerUIBundle({
    spec: answer,
    dom_id: "#api",
    validatorUrl: null,
    docExpansion: "none",
    persistAuthorization: false,
    requestInterceptor: (request) => {
      if (new URL(request.url, location.href).origin === location.origin) {
        request.headers.Authorization = headers.Authorization;
      }
      return request;
    },
  });
  say("This is what the token may do.", false);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const token = document.getElementById("token").value.trim();
  show(token).catch((error) => say(`The document could not be read: ${error.message}`, true));
});
