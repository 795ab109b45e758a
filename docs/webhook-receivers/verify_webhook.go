package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook returns the event id, or false if none of the secrets signed the webhook. body must be the raw body.
func VerifyWebhook(header http.Header, body []byte, secrets []string, now time.Time) (string, bool) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return "", false
	}
	if age := now.Unix() - int64(seconds); age > 300 || age < -300 {
		return "", false
	}
	if named := header.Get("X-Service-Event-Id"); named != "" && named != id {
		return "", false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 16 {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal(expected, []byte(given)) {
				return id, true
			}
		}
	}
	return "", false
}
